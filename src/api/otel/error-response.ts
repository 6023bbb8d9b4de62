import { encodeError } from '../../wire/otlp/encode-response.ts'
import { contentTypes, encodingOf, exportPaths } from './otlp-body.ts'

/**
 * gRPC codes by HTTP status
 * (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto).
 */
const codes: Readonly<Record<number, number>> = { 401: 16, 403: 7, 404: 5, 413: 8, 500: 13, 503: 14, 504: 4 }
const invalidArgument = 3

/**
 * Errors for exporters that speak protobuf are sent as google.rpc.Status, as OTLP requires. Other
 * requests get `answer` unchanged.
 */
export async function toOtlpErrorResponse(request: Request, answer: Response): Promise<Response> {
  if (!exportPaths.has(new URL(request.url).pathname) || encodingOf(request) !== 'protobuf') return answer
  const { reason } = (await answer.json()) as { reason?: string }
  const status = encodeError(codes[answer.status] ?? invalidArgument, reason ?? 'Invalid request')
  const headers = new Headers(answer.headers)
  headers.set('content-type', contentTypes.protobuf)
  headers.delete('content-length')
  return new Response(status, { status: answer.status, headers })
}
