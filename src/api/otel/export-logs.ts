import type { Caller } from '../../foundation/access/caller.ts'
import type { Services } from '../../services.ts'
import { decodeLogsJson } from '../../wire/otlp/decode-logs-json.ts'
import { decodeLogsProtobuf } from '../../wire/otlp/decode-logs-protobuf.ts'
import { exportedBytes, exportResponse, projectOf } from './export-response.ts'
import { inBothEncodings, projectHeader } from './operation-detail.ts'
import { requireEncoding } from './otlp-body.ts'

const detail = (operationId: string, hide: boolean) => ({
  operationId,
  hide,
  summary: 'Ingest OpenTelemetry logs',
  description:
    'Each record is stored as a log. Events of coding agents become calls, and what records say about a span is ' +
    'added to its call. The project is taken from the resource attributes ext.entity and ext.project, else from ' +
    'the header project_id. Rejected records are counted in the partial success of the response; all others are ' +
    'stored.',
  tags: ['OpenTelemetry'],
  parameters: [projectHeader('Project (entity/project) of records whose resource does not name one')],
  requestBody: { required: false, ...inBothEncodings('ExportLogsServiceRequest', 'Export result') },
  responses: {
    200: inBothEncodings(
      'ExportLogsServiceResponse',
      'Export result with partial success, if any records were rejected',
    ),
  },
})

export const exportLogsRoute = { detail: detail('otel.exportLogs', false) }

/** The path that exporters derive from a bare endpoint address. */
export const exportLogsAliasRoute = { detail: detail('otel.exportLogsAlias', true) }

/** The body is the raw bytes, decompressed. */
export async function exportLogs(
  services: Services,
  caller: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  const encoding = requireEncoding(request)
  const bytes = exportedBytes(body)
  const groups = encoding === 'json' ? decodeLogsJson(bytes) : decodeLogsProtobuf(bytes)
  const rejected = await services.logIngest.ingest(caller, groups, projectOf(request))
  return exportResponse(rejected, encoding, 'logs')
}
