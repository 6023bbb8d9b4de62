import { encodeResponse, type RejectedItems, responseAsJson, type Signal } from '../../wire/otlp/encode-response.ts'
import { contentTypes, type Encoding } from './otlp-body.ts'

/** The bytes of an export, decompressed. */
export const exportedBytes = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array())

/** The project that the request names for what names none itself. */
export const projectOf = (request: Request): string | undefined =>
  request.headers.get('project_id')?.trim() || undefined

/** The response to an export, in its encoding. */
export function exportResponse(rejected: RejectedItems | undefined, encoding: Encoding, signal: Signal): Response {
  const answer = encoding === 'json' ? JSON.stringify(responseAsJson(rejected, signal)) : encodeResponse(rejected)
  return new Response(answer, { headers: { 'content-type': contentTypes[encoding] } })
}
