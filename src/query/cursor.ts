import { DomainError, quoted } from '../lib/errors.ts'
import { plainNumbers } from '../lib/json-value.ts'
import { justBefore, parseTime } from '../lib/time.ts'
import { type ColumnField, type Field, isOfFeedback, type JsonField } from './catalog.ts'
import { any, type Expression, fieldValue } from './expression.ts'
import { isColumn, type SortKey } from './sort.ts'

/** The value of one sort key in the last row of a page. */
export type CursorValue =
  | { readonly type: Exclude<ColumnField['type'], 'time' | 'texts'>; readonly value: string | number | bigint | null }
  | { readonly type: 'time'; readonly micros: number | null }
  | { readonly type: 'texts'; readonly texts: readonly string[] | null }
  /** JSON text; null if the path is missing. */
  | { readonly type: 'json'; readonly text: string | null }

/**
 * Where a page begins: after the row with these values, one per sort key. See
 * docs/decisions/075-cursors-of-sorted-calls.md.
 */
export interface Cursor {
  readonly id: string
  readonly values: readonly CursorValue[]
}

/** Rows after a place in an order. */
export interface AfterRow {
  readonly sort: readonly SortKey[]
  /** Hexadecimal DuckDB sort key of the row that the page follows. */
  readonly sortKey: string
  /** The row itself. */
  readonly cursor: Cursor
}

/**
 * Parses `after`: the values of the keys in `sort` as the last row had them, then its id. The id is
 * also the last sort key unless the request sorts by it explicitly, in which case it may be left
 * out at the end.
 *
 * @param keysAsked number of sort keys that the request names, or that stand in for them
 * @throws DomainError InvalidRequest for values that do not fit the keys
 */
export function parseCursor(
  after: readonly unknown[] | null | undefined,
  sort: readonly SortKey[],
  keysAsked: number,
): Cursor | undefined {
  if (after === null || after === undefined) return undefined
  const sortsById = sort.length === keysAsked
  const isComplete = after.length === keysAsked + 1
  const last = sort.at(-1)
  const endsWithId = sortsById && after.length === keysAsked && last !== undefined && isColumn(last.field, 'id')
  if (!isComplete && !endsWithId) {
    throw invalid(`${after.length} values; send the ${keysAsked} of the sort keys, followed by the id`)
  }
  const id = after.at(-1)
  if (typeof id !== 'string') throw invalid(`the id at the end must be a string, not ${printed(id)}`)
  const values = sortsById ? after.slice(0, keysAsked) : after
  return { id, values: sort.map(({ field }, index) => cursorValue(field, values[index], index)) }
}

function cursorValue(field: Field, sent: unknown, index: number): CursorValue {
  if (field.kind === 'json') return { type: 'json', text: sent === undefined ? null : JSON.stringify(sent) }
  const value = plainNumbers(sent)
  const { type } = field
  const wrong = (wanted: string) => invalid(`value ${index + 1} must be ${wanted} or null, not ${printed(value)}`)
  switch (type) {
    case 'time': {
      if (value === null) return { type, micros: null }
      if (typeof value !== 'string' && typeof value !== 'number') throw wrong('a time')
      const micros = parseTime(value)
      if (micros === undefined) throw wrong('a time')
      return { type, micros }
    }
    case 'texts': {
      if (value === null) return { type, texts: null }
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw wrong('a list of strings')
      return { type, texts: value }
    }
    case 'text':
      if (value !== null && typeof value !== 'string') throw wrong('a string')
      return { type, value }
    case 'integer':
      if (value === null) return { type, value }
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong('an integer')
      return { type, value: BigInt(value) }
    case 'double':
      if (value !== null && typeof value !== 'number') throw wrong('a number')
      return { type, value }
  }
}

/**
 * A condition that every row after the cursor meets, used to skip files and row groups: the first
 * sort key is not before its value. Undefined if the condition would exclude nothing.
 */
export function cursorBound({ values }: Cursor, sort: readonly SortKey[]): Expression | undefined {
  const [first] = sort
  const [value] = values
  if (first?.field.kind !== 'column' || value === undefined) return undefined
  const { field, direction } = first
  const isAscending = direction === 'asc'
  if (value.type === 'time' && value.micros !== null) {
    const { micros } = value
    const within: Expression = {
      kind: 'within',
      field,
      after: isAscending ? justBefore(micros) : undefined,
      through: isAscending ? undefined : micros,
    }
    // Every call has a start.
    return field.column === 'started_at' ? within : withMissing(within, first)
  }
  const { emptyIfMissing, nullIfEmpty, spelling } = field
  const isPlain = emptyIfMissing === undefined && nullIfEmpty === undefined && spelling === undefined
  const constant = isPlain ? comparable(value) : undefined
  if (constant === undefined) return undefined
  const atLeast: Expression = {
    kind: 'compare',
    comparison: isAscending ? '>=' : '<=',
    as: constant.type,
    left: fieldValue(field),
    right: { kind: 'constant', constant },
  }
  return withMissing(atLeast, first)
}

/** A bound of present values as one of all: missing values come first in ascending order. */
const withMissing = (bound: Expression, { field, direction }: SortKey): Expression =>
  direction === 'asc' ? bound : any([bound, { kind: 'isNull', value: fieldValue(field) }])

type Comparable = { type: 'integer'; value: bigint } | { type: 'text'; value: string }

function comparable(value: CursorValue): Comparable | undefined {
  if (value.type === 'integer' && typeof value.value === 'bigint') return { type: 'integer', value: value.value }
  return value.type === 'text' && typeof value.value === 'string' ? { type: 'text', value: value.value } : undefined
}

const printed = (value: unknown): string => quoted(JSON.stringify(value) ?? 'nothing')

const invalid = (what: string): DomainError => new DomainError('InvalidRequest', `Read after: ${what}`)

/** The fields inside JSON of the row itself, by their position among the sort keys. */
export const jsonKeys = (sort: readonly SortKey[]): { readonly field: JsonField; readonly index: number }[] =>
  sort.flatMap(({ field }, index) => (field.kind === 'json' && !isOfFeedback(field) ? [{ field, index }] : []))
