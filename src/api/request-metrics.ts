import type { OperationMetrics, RequestMetrics } from '../foundation/metrics/request-metrics.ts'

interface Routed {
  readonly routes: readonly { readonly method: string; readonly path: string; readonly hooks: unknown }[]
}

/** Ids of operations by method and pattern of the path. */
export const operationIdsOf = ({ routes }: Routed): ReadonlyMap<string, string | undefined> =>
  new Map(
    routes.map(({ method, path, hooks }) => [
      `${method} ${path}`,
      (hooks as { detail?: { operationId?: string } }).detail?.operationId,
    ]),
  )

/**
 * Where a request is counted: under the id of its operation. What belongs to none (unknown paths) is counted as `none`, so that strangers
 * cannot make names.
 *
 * @param routeOf the pattern of the path that a request was matched with, if any
 */
export function requestMetricsByRoute(
  figures: RequestMetrics,
  app: Routed,
  routeOf: (request: Request) => string | undefined,
): (request: Request) => OperationMetrics {
  const known = new Map<string, OperationMetrics>()
  for (const { method, path, hooks } of app.routes) {
    const { operationId, hide } = (hooks as { detail?: { operationId?: string; hide?: boolean } }).detail ?? {}
    known.set(`${method} ${path}`, figures.of(operationId ?? (hide ? 'docs' : `${method} ${path}`)))
  }
  const none = figures.of('none')
  return (request) => known.get(`${request.method} ${routeOf(request)}`) ?? none
}
