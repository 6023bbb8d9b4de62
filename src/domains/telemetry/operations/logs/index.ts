import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, requestContext } from '../../../requests/index.ts'
import { FoundLog, LogsQuery } from '../../model/logs.ts'
import type { TelemetryServices } from '../services.ts'

const queryLogsRoute = {
  body: LogsQuery,
  detail: {
    operationId: 'logs.query',
    readOnly: true,
    summary: 'Query logs (stream)',
    description:
      'Returns the matching log records as JSON Lines, oldest first unless `sort_by` is given. `fields` selects ' +
      'columns, or paths such as `attributes.model`.',
    tags: ['Logs'],
    responses: describeJsonLines('The records, one per line', FoundLog),
  },
}

const queryLogs = (
  services: TelemetryServices,
  caller: Caller,
  { signal }: Request,
  { project_id, ...query }: Static<typeof queryLogsRoute.body>,
) => jsonLinesResponse(services.streams, (left) => services.logs.query(caller.read(project_id), query, left), signal)

/** Operations on log records. */
export const logsApi = (services: TelemetryServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/logs/query', ({ caller, request, body }) => queryLogs(services, caller, request, body), queryLogsRoute)
