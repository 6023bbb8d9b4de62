import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { TelemetryServices } from '../services.ts'
import { describeExport } from './describe-export.ts'
import { exportSignal } from './export-signal.ts'
import { signals } from './signals.ts'

/** OpenTelemetry ingest. */
export const otelApi = (services: TelemetryServices) => {
  const app = new Elysia({ normalize: false }).decorate({} as RequestContext)
  for (const signal of signals) {
    for (const [index, path] of signal.paths.entries()) {
      app.post(path, ({ caller, request, body }) => exportSignal(signal, services, { caller, request, body }), {
        detail: describeExport(signal, index),
      })
    }
  }
  return app
}
