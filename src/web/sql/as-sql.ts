import { type Condition, condition, type FilterNode } from '../filter/expression.ts'
import { nameOfPath, searchedPaths } from '../filter/fields.ts'
import { sqlText } from '../text/sql.ts'
import { conditionSql } from './as-sql-condition.ts'
import { sqlField } from './as-sql-fields.ts'
import { text } from './as-sql-values.ts'

const words = sqlText.asSql

/** A part of a filter that no SQL says exactly; the message names it. */
export class NoSql extends Error {
  override readonly name = 'NoSql'
}

/** What a table of calls shows. */
export interface Shown {
  readonly projectId: string
  readonly rootsOnly: boolean
  /** With the time range. */
  readonly filter: FilterNode | undefined
}

/**
 * The statement that finds the rows of a table of calls or traces. See
 * docs/decisions/248-filters-as-sql.md.
 *
 * @throws {NoSql} if a part of the filter has no exact equivalent
 */
export function asSql({ projectId, rootsOnly, filter }: Shown): string {
  const said = (node: FilterNode) => nodeSql(node, rootsOnly)
  const conditions = [
    `project_id = ${text(projectId)}`,
    ...(rootsOnly ? ['parent_id is null'] : []),
    ...(filter === undefined ? [] : filter.kind === 'all' ? filter.items.map(said) : [said(filter)]),
  ]
  return `${words.comment(rootsOnly ? words.traces : words.calls)}
select id, op_name, status, started_at, latency_ms
from calls
where ${conditions.join('\n  and ')}
order by started_at desc, id`
}

function nodeSql(node: FilterNode, rootsOnly: boolean): string {
  const said = (item: FilterNode) => nodeSql(item, rootsOnly)
  switch (node.kind) {
    case 'all':
      return `(${node.items.map(said).join(' and ')})`
    case 'any':
      return `(${node.items.map(said).join(' or ')})`
    case 'not':
      return `not ${said(node.item)}`
    case 'text':
      return `(${searchedPaths.map((path) => said(condition(path, 'contains', [node.text]))).join('\n    or ')})`
    case 'condition':
      return ofCondition(node, rootsOnly)
  }
}

const opposites = { '!=': '=', 'not in': 'in', 'not contains': 'contains', missing: 'exists' } as const

/** @throws {NoSql} */
function ofCondition(node: Condition, rootsOnly: boolean): string {
  const { path, comparator } = node
  switch (comparator) {
    case '!=':
    case 'not in':
    case 'not contains':
    case 'missing':
      return `not ${ofCondition({ ...node, comparator: opposites[comparator] }, rootsOnly)}`
  }
  const field = sqlField(path, rootsOnly)
  const sql = field && conditionSql(field, node)
  if (sql === undefined) throw new NoSql(nameOfPath(path))
  return sql
}
