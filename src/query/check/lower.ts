import type { Relation } from '../../lib/relation.ts'
import type { QueueRelations, UsageSource } from '../calls-plan.ts'
import type { CountableField, JsonField } from '../catalog.ts'
import { costOf } from '../cost.ts'
import type { AfterRow } from '../cursor.ts'
import type { Expression } from '../expression.ts'
import { conjuncts } from '../row-bounds.ts'
import type { SortKey } from '../sort.ts'

/** Rows whose JSON text at a path is one of these, as `json_extract` prints it. */
export interface HavingTexts {
  readonly field: JsonField
  readonly texts: readonly string[]
}

export interface RowsWanted {
  readonly relation: Relation
  /** Every branch is restricted to this project; it cannot be left out. */
  readonly projectId: string
  readonly where: Expression
  /** Stored columns to read. */
  readonly columns: readonly string[]
  /** Values to compute from the rows, as JSON text. Not with a limit. */
  readonly values?: readonly { readonly name: string; readonly field: CountableField }[] | undefined
  /** Conditions whose results are read as further columns: 1 where they hold, 0 elsewhere. */
  readonly flags?: readonly Expression[] | undefined
  readonly having?: HavingTexts | undefined
  readonly feedback?: Relation | undefined
  readonly queues?: QueueRelations | undefined
  readonly usage?: UsageSource | undefined
  readonly sort?: readonly SortKey[] | undefined
  /** Only rows after this one. */
  readonly after?: AfterRow | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A query ready to be written as SQL. */
export interface RowsQuery extends Omit<RowsWanted, 'where'> {
  /** All of them have to hold; cheap ones come first. */
  readonly conditions: readonly Expression[]
}

/**
 * Splits the condition and sorts its parts by cost:
 *
 *   { inputs.x = 1 && op = "f" } => [op = "f", inputs.x = 1]
 */
export function lowerRows({ where, ...wanted }: RowsWanted): RowsQuery {
  const conditions = conjuncts(where).toSorted((a, b) => costOf(a) - costOf(b))
  return { ...wanted, conditions }
}
