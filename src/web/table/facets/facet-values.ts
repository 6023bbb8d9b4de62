import { failedStatus } from '../../../lib/failed-calls.ts'
import { post } from '../../api/client.ts'
import { allOf, condition, type FilterNode, partsOf } from '../../filter/expression.ts'
import { requestPath } from '../../filter/fields.ts'
import { scopeOf } from '../calls-request.ts'

/** A value of a field and how often it occurs. */
interface CountedValue {
  readonly value: unknown
  readonly count: number
}

/** Whether all calls with a status count as `failed`. Of those that still run, some may. */
export const isPartOfFailed = (status: unknown): boolean => status === 'error' || status === 'descendant_error'

/**
 * Statuses with the value `failed`, which stands right before its parts.
 * @param runs statuses of the calls that still run although a call inside has failed
 */
export function withFailed(values: readonly CountedValue[], runs: readonly CountedValue[]): readonly CountedValue[] {
  const parts = values.filter(({ value }) => isPartOfFailed(value))
  const count = [...parts, ...runs].reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return values
  const others = values.filter(({ value }) => !isPartOfFailed(value))
  const at = others.findIndex((other) => other.count < count)
  return others.toSpliced(at < 0 ? others.length : at, 0, { value: failedStatus, count }, ...parts)
}

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
