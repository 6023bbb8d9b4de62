import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { parseJsonExactly } from '../json-body.ts'
import { JsonMembers, jsonAttributeEntries } from './json-members.ts'
import type { AttributeEntries, SpanResource, SpanScope } from './span.ts'

/**
 * The groups by resource of an export in OTLP's JSON encoding.
 *
 * @throws DomainError InvalidRequest if the text is no OTLP export, RequestTooLarge if it is
 *   nested too deeply
 */
export function exportedGroups(bytes: Uint8Array, member: string, signal: string): readonly unknown[] {
  const body = parse(new TextDecoder().decode(bytes))
  const groups = isJsonObject(body) ? (body[member] ?? (Object.keys(body).length === 0 ? [] : undefined)) : undefined
  if (Array.isArray(groups)) return groups
  throw new DomainError(
    'InvalidRequest',
    `Cannot read the body: it is not an export of ${signal} with an array "${member}"`,
  )
}

function parse(text: string): unknown {
  try {
    return parseJsonExactly(text, telemetryLimits.otlpJsonDepthMax)
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not JSON', { cause })
  }
}

/** @throws SpanUnreadable */
export const resourceAndScope = (
  group: Readonly<Record<string, unknown>>,
  ofScope: Readonly<Record<string, unknown>>,
): { readonly resource: SpanResource; readonly scope: SpanScope } => ({
  resource: { ...resourceOf(new JsonMembers(group['resource'] ?? {}, 'resource')), schemaUrl: schemaOf(group) },
  scope: { ...scopeOf(ofScope['scope'] ?? {}), schemaUrl: schemaOf(ofScope) },
})

/** A wrong one is not worth rejecting anything. */
function schemaOf({ schemaUrl }: Readonly<Record<string, unknown>>): string {
  return typeof schemaUrl === 'string' ? schemaUrl : ''
}

/**
 * Parts shared by resources, scopes, spans, events, links and log records.
 *
 * @throws SpanUnreadable
 */
export const resourceOf = (members: JsonMembers): Omit<SpanResource, 'schemaUrl'> => ({
  attributes: attributesOf(members),
  droppedAttributes: members.count('droppedAttributesCount'),
})

function scopeOf(value: unknown): Omit<SpanScope, 'schemaUrl'> {
  const members = new JsonMembers(value, 'scope')
  return { name: members.text('name'), version: members.text('version'), ...resourceOf(members) }
}

const attributesOf = (members: JsonMembers): AttributeEntries => jsonAttributeEntries(members.list('attributes'))
