import { failedStatus } from '../../lib/failed-calls.ts'
import type { Condition, FilterNode, FilterValue } from '../filter/expression.ts'
import { nameOfPath } from '../filter/fields.ts'
import { opNameOfSpan } from '../format/ids.ts'
import { sqlText } from '../text/sql.ts'

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

/** Columns that have the same values as the fields of filters, and how they compare. */
const columns: Readonly<Record<string, { readonly column: string; readonly type: 'text' | 'number' | 'time' }>> = {
  'summary.ext.status': { column: 'status', type: 'text' },
  'summary.ext.latency_ms': { column: 'latency_ms', type: 'number' },
  'summary.ext.trace_name': { column: 'trace_name', type: 'text' },
  op_name: { column: 'op_name', type: 'text' },
  exception: { column: 'exception', type: 'text' },
  thread_id: { column: 'thread_id', type: 'text' },
  ext_user_id: { column: 'ext_user_id', type: 'text' },
  ext_run_id: { column: 'ext_run_id', type: 'text' },
  started_at: { column: 'started_at', type: 'time' },
  ended_at: { column: 'ended_at', type: 'time' },
  trace_id: { column: 'trace_id', type: 'text' },
  parent_id: { column: 'parent_id', type: 'text' },
  id: { column: 'id', type: 'text' },
}

/**
 * The statement that finds the rows of a table of calls or traces. See
 * docs/decisions/248-filters-as-sql.md.
 *
 * @throws {NoSql} if a part of the filter has no exact equivalent
 */
export function asSql({ projectId, rootsOnly, filter }: Shown): string {
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

function said(node: FilterNode): string {
  switch (node.kind) {
    case 'all':
      return `(${node.items.map(said).join(' and ')})`
    case 'any':
      return `(${node.items.map(said).join(' or ')})`
    case 'not':
      return `not ${said(node.item)}`
    case 'text':
      throw new NoSql(`“${node.text}”`)
    case 'condition':
      return ofCondition(node)
  }
}

const opposites = { '!=': '=', 'not in': 'in', 'not contains': 'contains' } as const

function ofCondition(node: Condition): string {
  const { path, comparator, values, isSize } = node
  const known = columns[path]
  const impossible = () => new NoSql(nameOfPath(path))
  if (isSize || known === undefined) throw impossible()
  const { column, type } = known
  const value = values[0]
  switch (comparator) {
    case '!=':
    case 'not in':
    case 'not contains':
      return `not ${ofCondition({ ...node, comparator: opposites[comparator] })}`
    case 'exists':
      return `(${column} is not null)`
    case 'missing':
      return `(${column} is null)`
    case '=':
      return equal(column, type, value, impossible)
    case 'in':
      return `(${values.map((each) => equal(column, type, each, impossible)).join(' or ')})`
    case '>':
    case '>=':
    case '<':
    case '<=':
      if (type === 'text') throw impossible()
      return `(${column} ${comparator} ${literal(type, value, impossible)})`
    case 'contains':
    case 'contains exactly':
      if (type !== 'text' || typeof value !== 'string') throw impossible()
      return comparator === 'contains'
        ? `contains(lower(${orEmpty(column)}), lower(${text(value)}))`
        : `contains(${orEmpty(column)}, ${text(value)})`
    default:
      throw impossible()
  }
}

type ColumnType = 'text' | 'number' | 'time'

function equal(column: string, type: ColumnType, value: FilterValue | undefined, impossible: () => NoSql): string {
  if (column === 'status' && value === failedStatus)
    return "(status in ('error', 'descendant_error') or status = 'running' and error_inside is not null)"
  if (column === 'op_name' && typeof value === 'string' && !value.includes(':///')) return isOp(value)
  return `(${type === 'text' ? orEmpty(column) : column} = ${literal(type, value, impossible)})`
}

/** Filters take a missing text for an empty one, where they do not ask whether it exists. */
const orEmpty = (column: string): string => (isAlwaysThere.has(column) ? column : `coalesce(${column}, '')`)

const isAlwaysThere: ReadonlySet<string> = new Set(['id', 'trace_id', 'op_name', 'status', 'trace_name'])

/** Calls name their op, or send a ref with its name. */
const isOp = (name: string): string => {
  const named = [...new Set([name, opNameOfSpan(name)])].filter((each) => each !== '')
  const refs = named.map((each) => `contains(op_name, ${text(`/op/${encodeURIComponent(each)}:`)})`)
  return `(${[`op_name = ${text(name)}`, ...refs].join(' or ')})`
}

function literal(type: ColumnType, value: FilterValue | undefined, impossible: () => NoSql): string {
  if (type === 'number' && (typeof value === 'number' || typeof value === 'bigint')) return String(value)
  if (type === 'text' && typeof value === 'string') return text(value)
  if (type === 'time' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return `timestamptz ${text(new Date(value).toISOString())}`
  throw impossible()
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
