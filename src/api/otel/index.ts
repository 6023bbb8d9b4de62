import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
import { exportLogs, exportLogsAliasRoute, exportLogsRoute } from './export-logs.ts'
import {
  exportAgentTracesRoute,
  exportTraces,
  exportTracesAliasRoute,
  exportTracesOldRoute,
  exportTracesRoute,
} from './export-traces.ts'

/** OpenTelemetry ingest. */
export const otelApi = (services: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/otel/v1/traces',
      ({ caller, request, body }) => exportTraces(services, caller, request, body),
      exportTracesRoute,
    )
    .post(
      '/v1/traces',
      ({ caller, request, body }) => exportTraces(services, caller, request, body),
      exportTracesAliasRoute,
    )
    .post(
      '/otel/v1/trace',
      ({ caller, request, body }) => exportTraces(services, caller, request, body),
      exportTracesOldRoute,
    )
    .post(
      '/agents/otel/v1/traces',
      ({ caller, request, body }) => exportTraces(services, caller, request, body),
      exportAgentTracesRoute,
    )
    .post('/otel/v1/logs', ({ caller, request, body }) => exportLogs(services, caller, request, body), exportLogsRoute)
    .post('/v1/logs', ({ caller, request, body }) => exportLogs(services, caller, request, body), exportLogsAliasRoute)
