import type { Signal } from './signals.ts'

const inBothEncodings = (name: string, description: string) => ({
  description,
  content: {
    'application/x-protobuf': { schema: { type: 'string' as const, format: 'binary', description: name } },
    'application/json': { schema: { type: 'object' as const, description: `${name} (OTLP JSON encoding)` } },
  },
})

/** The `detail` of the route at a path of a signal. The API description has the first path only. */
export const describeExport = ({ operations, items, outcome, message }: Signal, path: number) => ({
  operationId: operations[path]!,
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
