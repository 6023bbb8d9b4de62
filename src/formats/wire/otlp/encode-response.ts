import protobuf from 'protobufjs/minimal.js'
import { messages } from './messages.ts'

/** The rejected items of an export (spans, log records), and why. */
export interface RejectedItems {
  readonly count: number
  readonly message: string
}

/** Member of the JSON response that counts the rejected items, by signal. */
const countMembers = { traces: 'rejectedSpans', logs: 'rejectedLogRecords', metrics: 'rejectedDataPoints' } as const

export type SignalName = keyof typeof countMembers

/** The response to an export in protobuf: the same on the wire for all signals. */
export function encodeResponse(rejected: RejectedItems | undefined): Uint8Array<ArrayBuffer> {
  const partialSuccess = rejected && { rejectedSpans: rejected.count, errorMessage: rejected.message }
  return messages.ExportResponse.encode(partialSuccess === undefined ? {} : { partialSuccess }).finish()
}

/** The same in OTLP's JSON encoding, which writes 64-bit integers as text. */
export function responseAsJson(rejected: RejectedItems | undefined, signal: SignalName): unknown {
  if (rejected === undefined) return {}
  return { partialSuccess: { [countMembers[signal]]: String(rejected.count), errorMessage: rejected.message } }
}

/** google.rpc.Status: the error response for a protobuf request. `code` is the gRPC code. */
export const encodeError = (code: number, message: string): Uint8Array<ArrayBuffer> =>
  messages.Refusal.encode({ code, message }).finish()

/**
 * The same with google.rpc.RetryInfo, by which a server says that repeating the request later may
 * succeed (https://opentelemetry.io/docs/specs/otlp/#otlpgrpc-throttling).
 */
export function encodeRetryableError(code: number, message: string, retrySeconds: number): Uint8Array {
  const retryInfo = protobuf.Writer.create().uint32(0x0a).fork().uint32(0x08).int64(retrySeconds).ldelim().finish()
  return protobuf.Writer.create()
    .uint32(0x08)
    .int32(code)
    .uint32(0x12)
    .string(message)
    .uint32(0x1a)
    .fork()
    .uint32(0x0a)
    .string('type.googleapis.com/google.rpc.RetryInfo')
    .uint32(0x12)
    .bytes(retryInfo)
    .ldelim()
    .finish()
}
