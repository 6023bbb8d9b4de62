import type { Snapshot, StreamSnapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { itemAt, present } from '../../lib/present.ts'
import { justBefore } from '../../lib/time.ts'
import { numberIn, rowShape, textIn } from '../../lib/typed-rows.ts'
import {
  type CallsIn,
  type CallsPlan,
  type LineWindow,
  matchingRows,
  planWithin,
  type Relations,
  restrictToWindow,
  startedAt,
} from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import type { HavingTexts } from '../../query/check/lower.ts'
import { onlyTimes } from '../../query/deciding-field.ts'
import { all, fieldOneOf, fieldOneOfTimes } from '../../query/expression.ts'
import { pathOfRow, pathsRead } from '../../query/path-of-row.ts'
import { isColumn } from '../../query/sort.ts'
import { compilePlanned, compileStats, compileWindows } from '../../query/sql/statements.ts'
import { narrowedInParts } from './clickhouse/found-in-parts.ts'
import type { Search } from './clickhouse/search.ts'
import { pageWindows, type WindowsInOrder } from './page-windows.ts'
import { compileTopValues } from './sql/value-counts.ts'

/**
 * Where the rows of a page in the order of a path are, and the only values that they may have: data
 * files state how many rows have each value. Undefined if too few of them do.
 */
export async function topOfPath(
  snapshot: Snapshot,
  { projectId, where, anyOf, sort, after, limit, offset }: CallsPlan,
  relations: Relations,
): Promise<{ relations: Relations; having: HavingTexts } | undefined> {
  const [first] = sort
  if (limit === undefined || after !== undefined || Object.keys(anyOf).length > 0) return undefined
  const key = first && pathOfRow(first.field)
  if (first === undefined || first.field.kind !== 'json' || key === undefined) return undefined
  const bounds = onlyTimes(where, itemAt(callsTable.order, 1))
  if (bounds === undefined) return undefined
  const { field, direction } = first
  const hints = { paths: [key], times: bounds.times }
  const stated = await snapshot.valueCounts(callsTable.name, key, hints)
  if (stated === undefined) return undefined
  const inline = { projectId, key, counts: stated.counts }
  const rest = { relation: stated.rest, where }
  const found = await snapshot.rows(compileTopValues(inline, rest, { field, direction, rows: limit + offset }))
  const texts = found.flatMap(({ value }) => (value === null || value === 'null' ? [] : [value]))
  // Rows without a value have no text to look for: a page with such rows is found by reading them.
  if (texts.length > responseLimits.topValuesMax || texts.length < found.length) return undefined
  const calls = await snapshot.relationWhere(callsTable.name, {}, hints, {
    values: new Map([[key, texts]]),
  })
  return { relations: { ...relations, calls }, having: { field, texts } }
}

/** Scans whose columns are planned one by one, before finding the rows first takes less time. */
const scansMax = 2

/**
 * Whether it is faster to find out which rows are on a page before reading all of their columns:
 * DuckDB plans every column of each scan, and reads wide columns of all rows to sort by a value
 * that it computes.
 */
function isScattered({ sort, limit }: CallsPlan, { calls }: Relations): boolean {
  if (limit === undefined || limit > responseLimits.scatteredRowsMax) return false
  const scans = calls.branches.filter(({ source }) => source.kind === 'files')
  const files = scans.reduce((sum, { source }) => sum + (source.kind === 'files' ? source.paths.length : 0), 0)
  return scans.length > scansMax || (files > 1 && sort.some(({ field }) => field.kind !== 'column'))
}

const startOrder = { field: startedAt, direction: 'desc' } as const

/**
 * The plan and the relations of exactly the rows that are on a page; undefined if there are none.
 */
async function rowsOnPage(snapshot: Snapshot, plan: CallsPlan, relations: Relations): Promise<CallsIn | undefined> {
  const { sort, limit, offset } = plan
  const top = await topOfPath(snapshot, plan, relations)
  const wanted = { ...matchingRows(plan, top?.relations ?? relations), sort, limit, offset, having: top?.having }
  // A column that nothing is sorted by, DuckDB would read in a second scan, which takes longer.
  const byStart = sort.some(({ field }) => isColumn(field, 'started_at')) ? [] : [startOrder]
  const inOneScan = { ...wanted, sort: [...sort, ...byStart], columns: ['id', 'started_at'] }
  const rows = await snapshot.rows(compilePlanned(inOneScan))
  if (rows.length === 0) return undefined
  const ids = rows.map(([id]) => textIn(id))
  const starts = [...new Set(rows.map(([, micros]) => present(numberIn(micros), 'The start of a call')))]
  const calls = snapshot.relation(
    callsTable.name,
    { id: ids },
    {
      paths: pathsRead(
        all([]),
        sort.map(({ field }) => field),
      ),
      times: { after: justBefore(Math.min(...starts)), through: Math.max(...starts) },
    },
  )
  return {
    // By their starts, DuckDB skips the row groups of other rows.
    plan: {
      ...plan,
      where: all([fieldOneOfTimes(startedAt, starts), fieldOneOf(columnField('id'), ids)]),
      after: undefined,
      limit: rows.length,
      offset: 0,
    },
    relations: { ...relations, calls },
  }
}

/** A query in progress: its plan, snapshot and relations. */
export interface CallsRead extends CallsIn {
  readonly snapshot: StreamSnapshot
  /** Default: DuckDB reads all. */
  readonly search?: Search
}

/** A batch of lines: an array of texts, or bytes. */
interface Sliceable<Self> {
  readonly length: number
  slice(from: number, to: number): Self
}

/** The lines of a plan, restricted to a time window if given. */
type LinesOf<Read, Some> = (read: Read, window?: LineWindow) => AsyncGenerator<Some>

/**
 * The lines of a read. Long results in time order are read window by window, so that DuckDB never
 * sorts more than one window of payload.
 */
export async function* linesInTime<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  const isLong = isLongStreamInTimeOrder(read.plan)
  const windows = isLong || read.search?.isForced ? undefined : pageWindows(read.plan, read.relations.calls)
  if (windows !== undefined) {
    yield* linesOfPage(read, windows, linesOf)
    return
  }
  if (isLong && read.search !== undefined && read.plan.offset === 0) yield* linesByParts(read, read.search, linesOf)
  else {
    const found = { ...read, ...(await read.search?.narrowed(read)) }
    yield* isLong ? linesByWindows(found, linesOf) : linesInTwoSteps(found, linesOf)
  }
}

/** The lines of a long read, whose calls ClickHouse finds in parts if they are many. */
async function* linesByParts<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  search: Search,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  let left = read.plan.limit
  for await (const { plan, relations } of narrowedInParts(search, read)) {
    for await (const lines of linesByWindows({ ...read, plan: { ...plan, limit: left }, relations }, linesOf)) {
      if (left !== undefined) left -= lines.length
      yield lines
    }
    if (left === 0) return
  }
}

/** The lines of a read; if its rows are scattered over many files, first which ones these are. */
async function* linesInTwoSteps<Read extends CallsRead, Some>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  if (!isScattered(read.plan, read.relations)) {
    yield* linesOf(read)
    return
  }
  const found = await rowsOnPage(read.snapshot, read.plan, read.relations)
  if (found !== undefined) yield* linesOf({ ...read, ...found })
}

/** Whether the result may be long and its order follows `started_at`, by which files are sorted. */
export function isLongStreamInTimeOrder({ sort, limit, offset }: CallsPlan): boolean {
  const isLong = limit === undefined || limit + offset > responseLimits.pageRowsMax
  const [first, second] = sort
  if (!isLong || first === undefined || second === undefined || sort.length !== 2) return false
  return isColumn(first.field, 'started_at') && isColumn(second.field, 'id')
}

async function* linesByWindows<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  const { snapshot, plan, relations } = read
  const sql = compileWindows(plan, relations, responseLimits.streamWindowBytes)
  const ends = await snapshot.rows({ ...sql, shape: rowShape({ through: 'time', rows: 'integer' }) })
  const windows = ends.map(({ through, rows }, index) => ({ after: ends[index - 1]?.through, through, rows }))
  if (itemAt(plan.sort, 0).direction === 'desc') windows.reverse()
  let skip = plan.offset
  let left = plan.limit ?? Number.POSITIVE_INFINITY
  const unlimited = { ...plan, limit: undefined, offset: 0 }
  for (const { rows, ...times } of windows) {
    const calls = restrictToWindow(relations.calls, times)
    if (calls.branches.length === 0) continue
    const window = { ...times, isWhole: skip + left >= rows }
    for await (const lines of linesOf({ ...read, plan: unlimited, relations: { ...relations, calls } }, window)) {
      const wanted = lines.slice(skip, skip + left)
      skip = Math.max(0, skip - lines.length)
      left -= wanted.length
      if (wanted.length > 0) yield wanted
      if (left === 0) return
    }
  }
}

/** The lines of a page, window by window until it is full. */
async function* linesOfPage<Read extends CallsRead, Some extends Sliceable<Some>>(
  read: Read,
  windows: WindowsInOrder,
  linesOf: LinesOf<Read, Some>,
): AsyncGenerator<Some> {
  const { snapshot } = read
  let skip = read.plan.offset
  let left = read.plan.limit ?? Number.POSITIVE_INFINITY
  let found = 0
  for (;;) {
    const part = windows.next({ found, wanted: skip + left })
    if (part === undefined) return
    // The windows near the beginning are small, and often enough; ClickHouse searches larger ones.
    const rows = {
      plan: { ...planWithin(read.plan, part.window), offset: skip, limit: left },
      relations: { ...read.relations, calls: part.relation },
    }
    const { plan, relations } = (await read.search?.narrowed(rows)) ?? rows
    if (skip > 0) {
      const counted = { ...plan, limit: skip + left }
      const sql = compileStats(counted, relations, { totalStorageSize: false })
      const [counts] = await snapshot.rows({ ...sql, shape: rowShape({ rows: 'integer', bytes: 'integer?' }) })
      const { rows } = present(counts, 'The number of rows')
      if (rows <= skip) {
        found += rows
        skip -= rows
        continue
      }
    }
    found += skip
    for await (const lines of linesInTwoSteps({ ...read, relations, plan: { ...plan, offset: skip } }, linesOf)) {
      left -= lines.length
      found += lines.length
      yield lines
    }
    skip = 0
    if (left === 0) return
  }
}
