import type { Sql } from '../../lib/sql.ts'
import { rowShape } from '../../lib/typed-rows.ts'
import type { RowsWanted } from '../check/lower.ts'
import { lowerRows } from '../check/lower.ts'
import type { Expression } from '../expression.ts'
import { conditionSql } from './condition.ts'
import { Parameters } from './parameters.ts'
import { rowsSql, scopeOf } from './rows.ts'
import type { Scope } from './scope.ts'

/** Rows of which only one field is known: how many have each value. */
export interface InlineValues {
  readonly projectId: string
  /** Column of the field, or its `columnPath`, whose values are JSON texts. */
  readonly key: string
  /** Rows by value, null for those without one. */
  readonly counts: ReadonlyMap<string | null, number>
}

/** Texts as rows with the column `id`. */
export const compileTextsTable = (texts: readonly string[]): Sql => ({
  text: 'SELECT unnest($1) AS id',
  values: [{ texts }],
})

/** A FROM item (alias `t`) with a row for each value, and how many `calls` have it. */
export function inlineSql({ key, counts }: InlineValues, parameters: Parameters): string {
  const known = [...counts].filter((entry): entry is [string, number] => entry[0] !== null)
  const values = parameters.bind({ texts: known.map(([value]) => value) })
  const calls = parameters.bind({ texts: known.map(([, count]) => String(count)) })
  const missing = parameters.bind(BigInt(counts.get(null) ?? 0))
  return `(SELECT unnest(${values}) AS "${columnOf(key)}", unnest(${calls})::BIGINT AS calls
    UNION ALL SELECT NULL, ${missing}::BIGINT) t`
}

/** The scope of SQL over the row `t` of an `inlineSql`. */
export const inlineScope = ({ projectId, key }: InlineValues, parameters: Parameters): Scope => ({
  ...scopeOf('t', { projectId }, parameters),
  pathColumns: new Map([[key, columnOf(key)]]),
})

/** One number: how many of these rows, and of those in a relation, meet conditions. */
export function compileInlineCount(
  inline: InlineValues,
  where: Expression,
  rest: Omit<RowsWanted, 'columns' | 'projectId'>,
): Sql {
  const parameters = new Parameters()
  const condition = conditionSql(where, inlineScope(inline, parameters))
  const stated = `SELECT coalesce(sum(calls), 0) FROM ${inlineSql(inline, parameters)} WHERE ${condition}`
  const rows = rowsSql(lowerRows({ ...rest, projectId: inline.projectId, columns: ['id'] }), parameters)
  return { text: `SELECT ((${stated}) + (SELECT count(*) FROM (${rows})))::BIGINT`, values: parameters.values }
}

/** The values that meet a condition on the field; null: rows without one meet it. */
export function compileValuesMet(inline: InlineValues, where: Expression): Sql<{ readonly value: string | null }> {
  const parameters = new Parameters()
  const condition = conditionSql(where, inlineScope(inline, parameters))
  return {
    text: `SELECT t."${columnOf(inline.key)}" FROM ${inlineSql(inline, parameters)} WHERE ${condition}`,
    values: parameters.values,
    shape: rowShape({ value: 'text?' }),
  }
}

const columnOf = (key: string): string => (key.includes('/') ? 'value' : key)
