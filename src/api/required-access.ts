import { DomainError } from '../errors.ts'
import type { Caller } from '../foundation/access/caller.ts'

/** Operations that have a body and change nothing; every other one with a body is for keys that may write. */
const readingPaths: ReadonlySet<string> = new Set([
  '/annotation_queues/query',
  '/annotation_queues/stats',
  '/annotation_queues/:queue_id/items/query',
  '/call/read',
  '/calls/query',
  '/calls/query_stats',
  '/calls/stats',
  '/calls/stream_query',
  '/calls/usage',
  '/cost/query',
  '/evaluations/status',
  '/feedback/aggregate',
  '/feedback/payload_schema',
  '/feedback/query',
  '/feedback/stats',
  '/file/content',
  '/files/content',
  '/files/query_stats',
  '/graphql',
  '/obj/read',
  '/objs/query',
  '/project/stats',
  '/refs/read_batch',
  '/service/projects_info',
  '/table/query',
  '/table/query_stats',
  '/table/query_stats_batch',
  '/table/query_stream',
  '/threads/stream_query',
  '/trace/usage',
  '/v2/:entity/:project/eval_results/query',
])

/**
 * What can be said about a caller before the body of the request is read. The operation itself checks the same, and what the body names.
 *
 * @param route the path as it is declared, parameters with a colon
 * @throws DomainError Forbidden
 */
export function requireAccess(caller: Caller, route: string, params: Readonly<Record<string, string>> = {}): void {
  const { entity, project } = params
  if (entity !== undefined && project !== undefined) requireReach(caller, `${entity}/${project}`)
  if (caller.role !== 'read' || readingPaths.has(route) || route.startsWith('/inference/')) return
  caller.requireRole('write')
}

/** @throws DomainError Forbidden, the same whether or not the project exists */
export function requireReach(caller: Caller, projectId: string): void {
  if (!caller.reaches(projectId)) throw new DomainError('Forbidden', 'This API key has no access to the project')
}
