import { encodeError } from '../../../../formats/wire/otlp/encode-response.ts'
import { isJsonObject } from '../../../../lib/json-value.ts'
import { contentTypes, encodingOf, exportPaths } from './signals.ts'

/**
 * gRPC codes by HTTP status
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto).
 */
const codes: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  408: 4,
  413: 8,
  429: 8,
  499: 1,
  500: 13,
  501: 12,
  502: 14,
  503: 14,
  504: 4,
  507: 14,
}
const invalidArgument = 3

export const grpcCodeOf = (status: number): number => codes[status] ?? invalidArgument

/** The reason that an error states, for an exporter. */
export async function reasonOf(refusal: Response): Promise<string> {
  const body: unknown = await refusal.json()
  const reason = isJsonObject(body) ? body['reason'] : undefined
  return typeof reason === 'string' ? reason : 'Invalid request'
}

/** Exporters drop a batch that gets 507, and send it again after 503. */
const retryableStatus: Readonly<Record<number, number>> = { 507: 503 }

/**
 * Errors for exporters have statuses by which they know what to repeat. Those that speak protobuf
 * get google.rpc.Status, as OTLP requires. Other requests get `refusal` unchanged.
 */
export async function toOtlpErrorResponse(request: Request, refusal: Response): Promise<Response> {
  if (!exportPaths.has(new URL(request.url).pathname)) return refusal
  const status = retryableStatus[refusal.status]
  const answer = status === undefined ? refusal : new Response(refusal.body, { status, headers: refusal.headers })
  if (encodingOf(request) !== 'protobuf') return answer
  const message = encodeError(grpcCodeOf(answer.status), await reasonOf(answer))
  const headers = new Headers(answer.headers)
  headers.set('content-type', contentTypes.protobuf)
  headers.delete('content-length')
  return new Response(message, { status: answer.status, headers })
}
