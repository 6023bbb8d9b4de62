import type { Branch } from '../../lib/relation.ts'
import type { HavingTexts, RowsQuery } from '../check/lower.ts'
import { isExpensive } from '../cost.ts'
import type { Expression } from '../expression.ts'
import { isColumn } from '../sort.ts'
import { branchSourceSql, projectRestriction } from './branch.ts'
import { conditionSql } from './condition.ts'
import { fieldTextSql } from './field-text.ts'
import { jsonTextSql } from './json-value.ts'
import { afterSql, orderSql, pageSql, sortTexts } from './order.ts'
import type { Parameters } from './parameters.ts'
import type { Scope } from './scope.ts'
import { unionSql } from './table-rows.ts'

/**
 * SELECT of stored columns over all branches. With a limit, each branch is first cut to its own
 * best rows, so that wide columns are read only for rows that can be in the answer.
 */
export function rowsSql(wanted: RowsQuery, parameters: Parameters): string {
  const { sort } = wanted
  const branches = wanted.relation.branches.map((branch) => branchSql(branch, wanted, parameters))
  const union = unionSql(branches)
  const texts = sortTexts(sort ?? [])
  const pathColumns = new Map(texts.map(({ path, name }) => [path, name]))
  const terms = orderSql(sort ?? [], { ...scopeOf('r', wanted, parameters), pathColumns })
  const order = terms === '' ? '' : ` ORDER BY ${terms}`
  const page = pageSql(wanted, parameters)
  if (order === '' && page === '') return union
  const hidden = texts.length === 0 ? '' : ` EXCLUDE (${texts.map(({ name }) => `"${name}"`).join(', ')})`
  return `SELECT *${hidden} FROM (${union}) r${order}${page}`
}

function branchSql(branch: Branch, wanted: RowsQuery, parameters: Parameters): string {
  const { relation, columns, values, flags = [], sort, limit, offset } = wanted
  const scope = branchScope(branch, wanted, parameters)
  const terms = branchTerms(branch, wanted, parameters)
  const list = [
    ...columns.map((name) => `t."${name}"`),
    ...sortTexts(sort ?? []).map(({ name, field }) => `${jsonTextSql(field, scope)} AS "${name}"`),
    ...(values ?? []).map(({ name, field }) => `${fieldTextSql(field, scope)} AS "${name}"`),
    ...flags.map((flag, index) => `CASE WHEN ${conditionSql(flag, scope)} THEN 1 ELSE 0 END AS flag_${index}`),
  ].join(', ')
  const isCut = limit !== undefined && sort !== undefined && sort.length > 0
  const isWhole = !isCut || (relation.branches.length === 1 && branch.masks.length === 0)
  const cut = isWhole
    ? ''
    : ` ORDER BY ${orderSql(sort, scope)} LIMIT ${parameters.bind(BigInt(limit + (offset ?? 0)))}::BIGINT`
  const conditions = terms.join(' AND ')
  const readBy = `${list} ${conditions}${cut}`
  const source = branchSourceSql(branch, parameters, { newestFirst: isNewestFirst(sort), readBy })
  const best = `FROM ${source} t WHERE ${conditions}${cut}`
  if (isWhole) return `SELECT ${list} ${best}`
  if (branch.source.kind === 'table' || branch.masks.length === 0) return `SELECT ${list} ${best}`
  // DuckDB reads wide columns for the best rows only, but not across the join with a mask; so it is
  // spelled out.
  return `WITH k AS MATERIALIZED (SELECT t.file_index, t.file_row_number ${best})
    SELECT ${list} FROM ${source} t SEMI JOIN k ON t.file_index = k.file_index AND t.file_row_number =
      k.file_row_number`
}

/** All conditions on a row `t` of a branch. */
export function branchTerms(branch: Branch, wanted: RowsQuery, parameters: Parameters): string[] {
  const scope = branchScope(branch, wanted, parameters)
  return [
    ...projectRestriction(wanted.relation, branch, 't', scope),
    ...(wanted.having === undefined ? [] : [havingSql(wanted.having, scope)]),
    ...wanted.conditions.map((item) => interruptibleSql(item, branch, scope)),
    ...(wanted.after === undefined ? [] : [afterSql(wanted.after, scope)]),
  ]
}

const havingSql = ({ field, texts }: HavingTexts, scope: Scope): string =>
  `${jsonTextSql(field, scope)} IN (${texts.map((text) => scope.parameters.bind(text)).join(', ')})`

/**
 * DuckDB evaluates conditions that it can push into a table scan for all rows in one go, and cannot
 * be interrupted until one of them holds. It does not push down volatile ones, so this makes an
 * expensive condition stop within a vector of rows, as in files.
 */
function interruptibleSql(condition: Expression, { source }: Branch, scope: Scope): string {
  const sql = conditionSql(condition, scope)
  return source.kind === 'table' && isExpensive(condition) ? `(${sql} OR random() < 0)` : sql
}

const isNewestFirst = (sort: RowsQuery['sort']): boolean =>
  sort?.[0] !== undefined && sort[0].direction === 'desc' && isColumn(sort[0].field, 'started_at')

/** The scope of SQL over a row `t` of a branch. */
export const branchScope = (
  { source }: Branch,
  wanted: Pick<RowsQuery, 'projectId' | 'feedback' | 'queues'>,
  parameters: Parameters,
): Scope => ({
  ...scopeOf('t', wanted, parameters),
  pathColumns: source.kind === 'files' ? source.pathColumns : undefined,
})

/** The scope of SQL over the row `alias`. */
export const scopeOf = (
  alias: string,
  { projectId, feedback, queues, usage }: Pick<RowsQuery, 'projectId' | 'feedback' | 'queues' | 'usage'>,
  parameters: Parameters,
): Scope => ({
  alias,
  parameters,
  projectId,
  feedback,
  queues,
  usage,
  conditionSql,
})
