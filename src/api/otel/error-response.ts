import { encodeError } from '../../wire/otlp/encode-response.ts'
import { contentTypes, encodingOf } from './encoding.ts'
import { grpcCodeOf } from './grpc-code.ts'
import { exportPaths } from './signals.ts'

/**
 * Errors for exporters that speak protobuf are sent as google.rpc.Status, as OTLP requires. Other
 * requests get `answer` unchanged.
 */
export async function toOtlpErrorResponse(request: Request, answer: Response): Promise<Response> {
  if (!exportPaths.has(new URL(request.url).pathname) || encodingOf(request) !== 'protobuf') return answer
  const { reason } = (await answer.json()) as { reason?: string }
  const status = encodeError(grpcCodeOf(answer.status), reason ?? 'Invalid request')
  const headers = new Headers(answer.headers)
  headers.set('content-type', contentTypes.protobuf)
  headers.delete('content-length')
  return new Response(status, { status: answer.status, headers })
}
