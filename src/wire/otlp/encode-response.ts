import { messages } from './messages.ts'

/** The rejected spans of an export, and why. */
export interface RejectedSpans {
  readonly count: number
  readonly message: string
}

/** ExportTraceServiceResponse in protobuf. */
export function encodeResponse(rejected: RejectedSpans | undefined): Uint8Array<ArrayBuffer> {
  const partialSuccess = rejected && { rejectedSpans: rejected.count, errorMessage: rejected.message }
  return messages.ExportResponse.encode(partialSuccess === undefined ? {} : { partialSuccess }).finish()
}

/** ExportTraceServiceResponse in OTLP's JSON encoding, which writes 64-bit integers as text. */
export function responseAsJson(rejected: RejectedSpans | undefined): unknown {
  if (rejected === undefined) return {}
  return { partialSuccess: { rejectedSpans: String(rejected.count), errorMessage: rejected.message } }
}

/** google.rpc.Status: the error response for a protobuf request. `code` is the gRPC code. */
export const encodeError = (code: number, message: string): Uint8Array<ArrayBuffer> =>
  messages.Refusal.encode({ code, message }).finish()
