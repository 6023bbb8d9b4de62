import { encodeResponse, responseAsJson } from '../../../../formats/wire/otlp/encode-response.ts'
import type { Caller } from '../../../access/caller.ts'
import type { TelemetryServices } from '../services.ts'
import { contentTypes, requireEncoding } from './encoding.ts'
import { projectHeader } from './project-header.ts'
import type { Signal } from './signals.ts'

/** Stores an export that arrived over HTTP. The body is the raw bytes, decompressed. */
export async function exportSignal(
  signal: Signal,
  services: TelemetryServices,
  { caller, request, body }: { caller: Caller; request: Request; body: unknown },
): Promise<Response> {
  const encoding = requireEncoding(request)
  const bytes = body instanceof Uint8Array ? body : new Uint8Array()
  const project = projectHeader(request.headers)
  const rejected = await signal.store(services, caller, { bytes, encoding, project })
  const answer = encoding === 'json' ? JSON.stringify(responseAsJson(rejected, signal.name)) : encodeResponse(rejected)
  return new Response(answer, { headers: { 'content-type': contentTypes[encoding] } })
}
