import { isJsonObject } from '../../../lib/json-value.ts'
import { version } from '../../../lib/version.ts'
import { sha256Hex } from '../../../runtime/platform/crypto.ts'
import { opShortName } from '../../dialect/ref.ts'
import type { CallToExport } from './call-to-export.ts'
import { dumpToSpan, nanosOf } from './dump-to-span.ts'
import { genAiAttributes } from './gen-ai-attributes.ts'
import { anyValue, type KeyValue } from './otlp-attributes.ts'
import type { ExportedSpan } from './otlp-span.ts'

const kindInternal = 1
const kindClient = 3
const statusError = 2

/**
 * A call as an OpenTelemetry span: the span that it was made from, else one that follows the
 * conventions for generative AI.
 */
export function callToSpan(call: CallToExport): ExportedSpan {
  const { otel_span: dump, ...attributes } = call.attributes
  return isJsonObject(dump) ? dumpToSpan(dump) : spanOf({ ...call, attributes })
}

function spanOf(call: CallToExport): ExportedSpan {
  const { attributes, isModelCall } = genAiAttributes(call)
  const service = call.project_id
  return {
    span: {
      traceId: idBytes(call.trace_id, 32),
      spanId: idBytes(call.id, 16),
      ...(call.parent_id && { parentSpanId: idBytes(call.parent_id, 16) }),
      name: call.display_name || opShortName(call.op_name),
      kind: isModelCall ? kindClient : kindInternal,
      startTimeUnixNano: nanosOf(call.started_at),
      endTimeUnixNano: nanosOf(call.ended_at),
      attributes: [...attributes, ...ownAttributes(call)],
      status: call.exception ? { code: statusError, message: call.exception } : { code: 0, message: '' },
    },
    resource: { attributes: [{ key: 'service.name', value: anyValue(service) }] },
    resourceUrl: '',
    scope: { name: 'tracelake', version, attributes: [] },
    scopeUrl: '',
    resourceKey: service,
    scopeKey: 'tracelake',
  }
}

/**
 * What another tracelake reads to restore the call; also the id, which is not always that of the
 * span.
 */
function ownAttributes({ id, attributes, display_name, thread_id, turn_id }: CallToExport): KeyValue[] {
  const members = {
    'ext.call_id': id,
    'ext.display_name': display_name,
    'ext.thread_id': thread_id,
    'ext.is_turn': turn_id === id ? true : undefined,
    'ext.attributes': Object.keys(attributes).length === 0 ? undefined : JSON.stringify(attributes),
  }
  return Object.entries(members).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

/** An id of OpenTelemetry stays, a UUID loses its hyphens, and of any other the hash is taken. */
function idBytes(id: string, digits: number): Uint8Array {
  const hex = id.toLowerCase().replaceAll('-', '')
  const isId = hex.length === digits && /^[0-9a-f]+$/.test(hex) && /[1-9a-f]/.test(hex)
  return Uint8Array.fromHex(isId ? hex : sha256Hex(id).slice(0, digits))
}
