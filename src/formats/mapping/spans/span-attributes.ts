import { BoundedMap } from '../../../lib/bounded-map.ts'
import { isThreadName } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import type { CallKind } from '../../schemas/traces.ts'
import type { AttributeMember } from '../conventions/convention.ts'
import { callKind } from '../kinds/call-kind.ts'
import type { SpanValues } from './span-values.ts'

/** Op name of spans without a name. */
const unnamed = 'span'

/** Names repeat from span to span. */
const opNames = new BoundedMap<string, string>(telemetryLimits.knownOpsMax)

/**
 * Op name of a span: its name, truncated if necessary, with `-` for characters not allowed in
 * object names (which have letters and digits of any script, `_`, `.` and `-`). See
 * docs/decisions/208-names-of-spans.md.
 */
export function opNameOf(spanName: string): string {
  const known = opNames.get(spanName)
  if (known !== undefined) return known
  const name = shortened(spanName, operationLimits.idCharsMax)
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  if (spanName.length <= operationLimits.idCharsMax) opNames.set(spanName, name || unnamed)
  return name || unnamed
}

export const displayNameOf = (name: string): string => shortened(name, operationLimits.displayNameCharsMax)

/** Thread name: the text, truncated if necessary, with spaces for control characters. */
export function threadNameOf(text: string): string {
  if (isThreadName(text)) return text
  return shortened(text.replaceAll(/\p{Cc}+/gu, ' '), operationLimits.threadNameCharsMax)
}

/** Truncates a text longer than `charsMax` at a delimiter and appends four digits of its hash. */
function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const mark = `:${sha256Hex(text).slice(0, 4)}`
  const head = text.slice(0, charsMax - mark.length)
  const delimiter = head.search(/[^A-Za-z0-9]+[A-Za-z0-9]*$/)
  // A delimiter in the first half would lose too much of the name.
  const cut = delimiter > head.length / 2 ? head.slice(0, delimiter) : head
  return cut.toWellFormed().replaceAll('\u{fffd}', '') + mark
}

type Attributes = Readonly<Record<string, unknown>>

/**
 * Members of a call's attributes that conventions name. See
 * docs/decisions/100-common-members-of-spans.md.
 */
export function mappedAttributes(values: SpanValues): Record<string, unknown> {
  const mapped: Record<string, unknown> = {}
  for (const [member, names] of values.tables.attributes) {
    const found = values.first(names)
    const value = memberValue(member, found)
    if (value !== undefined) mapped[member] = value
  }
  const parameters = mapped['model_parameters']
  if (mapped['model'] === undefined && isJsonObject(parameters) && typeof parameters['model'] === 'string') {
    mapped['model'] = parameters['model']
  }
  return mapped
}

function memberValue(member: AttributeMember, found: unknown): unknown {
  switch (member) {
    case 'tags':
      return tagList(found)
    case 'metadata':
      return isJsonObject(found) ? found : undefined
    case 'kind':
      // Conventions differ in case: `LLM` in OpenInference, `llm` in others.
      return typeof found === 'string' ? found.toLowerCase() : found
    default:
      return found
  }
}

/** Members that spans of any kind have: those of web servers, and the mark of importers. */
const commonMembers: ReadonlySet<string> = new Set([
  'error_type',
  'prompt_name',
  'user_id',
  'tags',
  'metadata',
  'import',
])

/** Whether mapped attributes describe more of a span than its user. */
export const isOfConvention = (mapped: Attributes): boolean =>
  Object.keys(mapped).some((member) => !commonMembers.has(member))

/** LangSmith joins tags to one text. */
function tagList(tags: unknown): unknown[] | undefined {
  if (typeof tags !== 'string') return Array.isArray(tags) ? tags : undefined
  const list = tags.split(',').flatMap((tag) => tag.trim() || [])
  return list.length === 0 ? undefined : list
}

/** Adds the kind of a span that states none, by its operation, name or component. */
export function withKind(
  attributes: Record<string, unknown>,
  name: string,
  hasUsage: boolean,
): Record<string, unknown> {
  if (Object.hasOwn(attributes, 'kind')) return attributes
  attributes['kind'] = kindOf(attributes, name, hasUsage)
  return attributes
}

function kindOf(attributes: Attributes, name: string, hasUsage: boolean): CallKind {
  const operation = textOf(attributes['operation_name']) ?? textOf(attributes['mcp_method'])
  const op = textOf(attributes['component_type']) ?? name
  const kind = callKind({ stated: null, operation, op, isModelCall: false })
  if (kind !== 'function') return kind
  if (attributes['tool_name'] !== undefined) return 'tool'
  if (attributes['agent_name'] !== undefined) return 'agent'
  return hasUsage || attributes['model'] !== undefined ? 'llm' : 'function'
}

/**
 * Adds the name of a span whose op has another one: `chat gpt-4o` calls the op `chat-gpt-4o`,
 * because names of objects have no spaces.
 */
export function withSpanName(attributes: Record<string, unknown>, name: string): Record<string, unknown> {
  if (name === '' || opNameOf(name) === name || Object.hasOwn(attributes, 'span_name')) return attributes
  attributes['span_name'] = displayNameOf(name)
  return attributes
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Removes the attribute under whose name the span itself is shown. */
export function withoutDump(attributes: Attributes): Attributes {
  if (!Object.hasOwn(attributes, 'otel_span')) return attributes
  const { otel_span: _, ...others } = attributes
  return others
}
