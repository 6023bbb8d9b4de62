import { post } from '../../api/client.ts'
import type { FilterNode } from '../../filter/expression.ts'
import { requestPath } from '../../filter/fields.ts'
import { scopeOf } from '../calls-request.ts'

/** How often the values of a field occur in the calls of a filter. */
export interface FacetValues {
  readonly values: readonly { readonly value: unknown; readonly count: number }[]
  readonly missing: number
  readonly other: number
  readonly calls_read: number
  readonly is_sample: boolean
  readonly is_partial: boolean
  readonly histogram?: readonly { readonly from: number; readonly to: number; readonly count: number }[]
}

/** A facet that takes longer is given up: rows matter more. */
const facetPatienceMs = 5_000

/** Counts the values of a field. @throws {Problem} */
export function readFacet(
  scope: { projectId: string; rootsOnly: boolean; filter: FilterNode | undefined },
  path: string,
  limit: number,
  signal: AbortSignal,
): Promise<FacetValues> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(facetPatienceMs)])
  return post<FacetValues>(
    '/calls/values',
    { ...scopeOf(scope), path: requestPath(path, scope.rootsOnly), limit },
    { signal: patience },
  )
}
