import { failedStatus } from '../../../lib/failed-calls.ts'
import { post } from '../../api/client.ts'
import { allOf, condition, type FilterNode, partsOf } from '../../filter/expression.ts'
import { requestPath } from '../../filter/fields.ts'
import { scopeOf } from '../calls-request.ts'
import { type CountedValue, withFailed } from './failed-value.ts'

/** How often the values of a field occur in the calls of a filter. */
export interface FacetValues {
  readonly values: readonly CountedValue[]
  readonly missing: number
  readonly other: number
  readonly calls_read: number
  readonly is_sample: boolean
  readonly is_partial: boolean
  readonly histogram?: readonly { readonly from: number; readonly to: number; readonly count: number }[]
}

/** A facet that takes longer is given up: rows matter more. */
const facetPatienceMs = 5_000

interface FacetScope {
  readonly projectId: string
  readonly rootsOnly: boolean
  readonly filter: FilterNode | undefined
}

/** Counts the values of a field. @throws {Problem} */
export function readFacet(scope: FacetScope, path: string, limit: number, signal: AbortSignal): Promise<FacetValues> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(facetPatienceMs)])
  return post<FacetValues>(
    '/calls/values',
    { ...scopeOf(scope), path: requestPath(path, scope.rootsOnly), limit },
    { signal: patience },
  )
}

/**
 * Counts statuses, and the failed calls before the statuses that they have.
 * @throws {Problem}
 */
export async function readStatuses(scope: FacetScope, limit: number, signal: AbortSignal): Promise<FacetValues> {
  const read = await readFacet(scope, statusPath, limit, signal)
  const isRunning = read.values.some(({ value }) => value === 'running')
  const failed = isRunning ? await readFacet(failedRuns(scope), statusPath, limit, signal) : undefined
  return { ...read, values: withFailed(read.values, failed?.values ?? []) }
}

const statusPath = 'summary.ext.status'

const failedRuns = (scope: FacetScope): FacetScope => ({
  ...scope,
  filter: allOf([
    ...partsOf(scope.filter),
    condition(statusPath, '=', ['running']),
    condition(statusPath, '=', [failedStatus]),
  ]),
})
