import type { OperationMetrics, RequestMetrics } from '../metrics/request-metrics.ts'
import type { Operation } from './operation.ts'

/**
 * Counts a request under its operation id. Unknown paths are counted as `none`, so that clients
 * cannot create metric labels.
 *
 * @param routeOf the path pattern that a request was matched with, if any
 */
export function requestMetricsByRoute(
  figures: RequestMetrics,
  operations: ReadonlyMap<string, Operation>,
  routeOf: (request: Request) => string | undefined,
): (request: Request) => OperationMetrics {
  const known = new Map<string, OperationMetrics>()
  for (const [route, { operationId, hide }] of operations) {
    known.set(route, figures.of(operationId ?? (hide ? 'docs' : route)))
  }
  const none = figures.of('none')
  return (request) => known.get(`${request.method} ${routeOf(request)}`) ?? none
}
