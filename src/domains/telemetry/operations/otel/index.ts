import { Elysia } from 'elysia'
import { encodeResponse, responseAsJson } from '../../../../formats/wire/otlp/encode-response.ts'
import { itemAt } from '../../../../lib/present.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import type { TelemetryServices } from '../index.ts'
import { contentTypes, projectHeader, requireEncoding, type Signal, signals } from './signals.ts'

const inBothEncodings = (name: string, description: string) => ({
  description,
  content: {
    'application/x-protobuf': { schema: { type: 'string' as const, format: 'binary', description: name } },
    'application/json': { schema: { type: 'object' as const, description: `${name} (OTLP JSON encoding)` } },
  },
})

/** The `detail` of the route at a path of a signal. The API description has the first path only. */
const describeExport = ({ operations, items, outcome, message }: Signal, path: number) => ({
  operationId: itemAt(operations, path),
  hide: path > 0,
  summary: `Ingest OpenTelemetry ${items}`,
  description:
    `${outcome} The project is taken from the resource attributes ext.entity and ext.project, else from the ` +
    `header project_id. Rejected ${items} are counted in the partial success of the response; all others are stored.`,
  tags: ['OpenTelemetry'],
  parameters: [
    {
      name: 'project_id',
      in: 'header' as const,
      required: false,
      description: `Project (entity/project) of ${items} whose resource does not name one`,
      schema: { type: 'string' as const },
    },
  ],
  requestBody: { required: false, ...inBothEncodings(`${message}Request`, 'Export request') },
  responses: {
    200: inBothEncodings(`${message}Response`, `Export result with partial success, if any ${items} were rejected`),
  },
})

/** Stores an export that arrived over HTTP. The body is the raw bytes, decompressed. */
async function exportSignal(
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

/** OpenTelemetry ingest. */
export const otelApi = (services: TelemetryServices) => {
  const app = new Elysia({ normalize: false }).decorate(requestContext)
  for (const signal of signals) {
    for (const [index, path] of signal.paths.entries()) {
      app.post(path, ({ caller, request, body }) => exportSignal(signal, services, { caller, request, body }), {
        detail: describeExport(signal, index),
      })
    }
  }
  return app
}
