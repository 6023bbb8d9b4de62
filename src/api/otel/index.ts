import { Elysia } from 'elysia'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../request-context.ts'
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
