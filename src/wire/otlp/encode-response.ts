import { messages } from './messages.ts'

/** The rejected items of an export (spans, log records), and why. */
export interface RejectedItems {
  readonly count: number
  readonly message: string
}

/** Member of the JSON response that counts the rejected items, by signal. */
const countMembers = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' } as const

export type Signal = keyof typeof countMembers

/** The response to an export in protobuf: the same on the wire for all signals. */
export function encodeResponse(rejected: RejectedItems | undefined): Uint8Array<ArrayBuffer> {
  const partialSuccess = rejected && { rejectedSpans: rejected.count, errorMessage: rejected.message }
  return messages.ExportResponse.encode(partialSuccess === undefined ? {} : { partialSuccess }).finish()
}

/** The same in OTLP's JSON encoding, which writes 64-bit integers as text. */
export function responseAsJson(rejected: RejectedItems | undefined, signal: Signal): unknown {
  if (rejected === undefined) return {}
  return { partialSuccess: { [countMembers[signal]]: String(rejected.count), errorMessage: rejected.message } }
}

/** google.rpc.Status: the error response for a protobuf request. `code` is the gRPC code. */
export const encodeError = (code: number, message: string): Uint8Array<ArrayBuffer> =>
  messages.Refusal.encode({ code, message }).finish()
