import type { Caller } from '../../foundation/access/caller.ts'
import type { Services } from '../../services.ts'
import { decodeJson } from '../../wire/otlp/decode-json.ts'
import { decodeProtobuf } from '../../wire/otlp/decode-protobuf.ts'
import { exportedBytes, exportResponse, projectOf } from './export-response.ts'
import { inBothEncodings, projectHeader } from './operation-detail.ts'
import { requireEncoding } from './otlp-body.ts'

const detail = (operationId: string, hide: boolean) => ({
  operationId,
  hide,
  summary: 'Ingest OpenTelemetry spans',
  description:
    'Each span is stored as a call. The project is taken from the resource attributes ext.entity and ' +
    'ext.project, else from the header project_id. Rejected spans are counted in the partial success of ' +
    'the response; all others are stored.',
  tags: ['OpenTelemetry'],
  parameters: [projectHeader('Project (entity/project) of spans whose resource does not name one')],
  requestBody: { required: false, ...inBothEncodings('ExportTraceServiceRequest', 'Export result') },
  responses: {
    200: inBothEncodings(
      'ExportTraceServiceResponse',
      'Export result with partial success, if any spans were rejected',
    ),
  },
})

export const exportTracesRoute = { detail: detail('otel.exportTraces', false) }

/** The path that exporters derive from a bare endpoint address. */
export const exportTracesAliasRoute = { detail: detail('otel.exportTracesAlias', true) }

/** The path used by older clients. */
export const exportTracesOldRoute = { detail: detail('otel.exportTracesOld', true) }

/** The path to which the vendor's SDKs send conversation spans. */
export const exportAgentTracesRoute = { detail: detail('otel.exportAgentTraces', true) }

/** The body is the raw bytes, decompressed. */
export async function exportTraces(
  services: Services,
  caller: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  const encoding = requireEncoding(request)
  const bytes = exportedBytes(body)
  const groups = encoding === 'json' ? decodeJson(bytes) : decodeProtobuf(bytes)
  const rejected = await services.traces.store(caller, groups, projectOf(request))
  return exportResponse(rejected, encoding, 'traces')
}
