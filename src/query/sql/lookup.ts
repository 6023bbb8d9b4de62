import { itemAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type RowOfShape, rowShape } from '../../lib/typed-rows.ts'
import { branchSourceSql } from './branch.ts'
import { Parameters } from './parameters.ts'
import { tableRowsSql } from './table-rows.ts'

/**
 * A value to read from a row: a column, the texts of a list column joined by commas, or two text
 * columns concatenated. Passing a text from DuckDB to JavaScript costs as much as reading it, so
 * one text is better than two, and far better than a list.
 */
type LookupItem =
  | string
  | { readonly joinedList: string }
  | { readonly joined: readonly [first: string, second: string] }

/** Rows of a project by key. Column names come from the table, never from a user. */
export interface Lookup {
  readonly columns: readonly LookupItem[]
  readonly keyColumn: string
  readonly keys: readonly string[]
  /**
   * Inclusive bounds of an integer column over all requested rows; row groups outside are skipped.
   */
  readonly within?: { readonly column: string; readonly from: number; readonly to: number } | undefined
}

/** Cells of `columns`, one row for each of `keys` that exists in the project. */
export function compileLookup(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  { columns, keyColumn, keys, within }: Lookup,
): Sql {
  const parameters = new Parameters()
  const isOne =
    keys.length === 1 ? `= ${parameters.bind(itemAt(keys, 0))}` : `IN (SELECT unnest(${keyList(keys, parameters)}))`
  const terms = [`t."${keyColumn}" ${isOne}`]
  if (within !== undefined) {
    const [from, to] = [within.from, within.to].map((bound) => parameters.bind(BigInt(bound)))
    terms.push(`t."${within.column}" BETWEEN ${from} AND ${to}`)
  }
  const text = tableRowsSql({ relation, projectId }, columns.map(itemSql), terms, parameters)
  return { text, values: parameters.values }
}

/** A list of keys. Passing DuckDB one long text costs a small part of passing thousands. */
const keyList = (keys: readonly string[], bound: Parameters): string =>
  keys.length > 64 && !keys.some((key) => key.includes(','))
    ? `string_split(${bound.bind(keys.join(','))}, ',')`
    : bound.bind({ texts: keys })

function itemSql(item: LookupItem): string {
  if (typeof item === 'string') return `t."${item}"`
  if ('joinedList' in item) return `array_to_string(t."${item.joinedList}", ',')`
  return `(t."${item.joined[0]}" || t."${item.joined[1]}")`
}

const sumShape = rowShape({ sum: 'integer' })

/** The sum of an integer column over all rows of the project; 0 without rows. */
export function compileSum(
  { relation, projectId }: { readonly relation: Relation; readonly projectId: string },
  column: string,
): Sql<RowOfShape<typeof sumShape>> {
  const parameters = new Parameters()
  const rows = tableRowsSql({ relation, projectId }, [`t."${column}" AS summand`], [], parameters)
  const text = `SELECT coalesce(sum(summand), 0)::BIGINT FROM (${rows})`
  return { text, values: parameters.values, shape: sumShape }
}

const keyShape = rowShape({ key: 'text' })

/**
 * The `keys` that exist in any project, hidden rows included. For maintenance that has to know
 * which ones are certainly unused; returns nothing of a row but its key.
 */
export function compileKeysAnywhere(
  { branches }: Relation,
  keyColumn: string,
  keys: readonly string[],
): Sql<RowOfShape<typeof keyShape>> {
  const parameters = new Parameters()
  const selects = branches.map(
    (branch) =>
      `SELECT t."${keyColumn}" FROM ${branchSourceSql(branch, parameters)} t WHERE t."${keyColumn}" IN (SELECT
        unnest(${parameters.bind({ texts: keys })}))`,
  )
  return { text: selects.join(' UNION ALL '), values: parameters.values, shape: keyShape }
}
