import type { SortKey, SortRules } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'

/** One version of an object, as a request names it. `named` is an alias or else a digest. */
export type VersionSelector =
  | { readonly by: 'latest' }
  | { readonly by: 'index'; readonly index: number }
  | { readonly by: 'digest' | 'named'; readonly text: string }

/** Which versions to read. Empty lists restrict nothing. */
export interface VersionsPlan {
  readonly projectId: string
  readonly objectIds: readonly string[]
  readonly kind: 'op' | 'object' | undefined
  readonly withDeleted: boolean
  readonly latestOnly: boolean
  readonly baseClasses: readonly string[]
  readonly notBaseClasses: readonly string[]
  readonly leafClasses: readonly string[]
  readonly tags: readonly string[]
  readonly aliases: readonly string[]
  /** Versions that match any of these. */
  readonly selectors: readonly VersionSelector[]
  readonly withLabels: boolean
  /**
   * Sorts aliases before equal digests, then the most recently used first; takes precedence over
   * `sort`.
   */
  readonly likeliestFirst: boolean
  readonly sort: readonly SortKey[]
  readonly limit: number | undefined
  readonly offset: number
}

/** Whether a plan reads tags and aliases. */
export const readsLabels = (plan: VersionsPlan): boolean =>
  plan.withLabels || plan.tags.length > 0 || plan.aliases.length > 0 || plan.selectors.some(({ by }) => by === 'named')

/** The sortable fields of versions. The statement itself breaks ties. */
export const versionsOrder: SortRules = {
  catalog: tableCatalog({
    columns: [
      { name: 'object_id', type: 'text' },
      { name: 'created_at', type: 'time' },
    ],
  }),
  otherwise: [],
}
