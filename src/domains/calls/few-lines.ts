import type { NamedCells } from '../../engine/reads/find-row.ts'
import { placeOrder, type RowPlace, type RowsWanted } from '../../engine/reads/rows-wanted.ts'
import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable, storedColumns, withDerived } from '../../engine/tables/calls-table.ts'
import { withOthersBlank } from '../../engine/tables/some-cells.ts'
import { readLimits } from '../../lib/limits/reads.ts'
import { itemAt, present, valueAt } from '../../lib/present.ts'
import type { Relation } from '../../lib/relation.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import { type CallsPlan, planWithin, readsFeedback, readsQueues, readsUsage } from '../../query/calls-plan.ts'
import type { Expression } from '../../query/expression.ts'
import { conjuncts, intervalOf, timesOf, valuesOf } from '../../query/row-bounds.ts'
import { isColumn } from '../../query/sort.ts'
import { columnsRead } from '../../query/sql/call-answer.ts'
import { isOfRow, type RowOptions, rowLines } from '../../query/sql/call-columns.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import { recentSince } from './page-windows.ts'
import { rowHints } from './plan.ts'

/**
 * The lines of a plan with a few calls, of which those in data files are read without DuckDB;
 * undefined if the plan asks for anything else.
 */
export async function fewLines(snapshot: Snapshot, plan: CallsPlan): Promise<readonly string[] | undefined> {
  return await linesIn(snapshot, plan, (relation, wanted, columns) =>
    rowsInMemory(snapshot, plan, { relation, wanted, columns }),
  )
}

/**
 * The same without a snapshot, if all calls are in data files.
 *
 * @returns null if some are not; undefined if the lines cannot be read in this way
 */
export async function fewLinesInFiles(
  store: Store,
  plan: CallsPlan,
  signal: AbortSignal,
): Promise<readonly string[] | undefined | null> {
  if (!isOfRows(plan) || rowsWanted(plan) === undefined) return undefined
  const scope = { projectId: plan.projectId, signal }
  return await store.inFiles(callsTable.name, scope, (files) => linesIn(files, plan, async () => []))
}

async function linesIn(
  snapshot: Pick<Snapshot, 'fewRows'>,
  plan: CallsPlan,
  inMemoryOf: (
    relation: Relation,
    wanted: RowsWanted,
    columns: readonly string[],
  ) => Promise<readonly RowInMemory[] | undefined>,
): Promise<readonly string[] | undefined> {
  if (!isOfRows(plan)) return undefined
  const wanted = rowsWanted(plan)
  if (wanted === undefined) return undefined
  const { values, ...hints } = rowHints(plan)
  const few = await snapshot.fewRows(callsTable.name, plan.anyOf, hints, { values }, wanted)
  if (few === undefined) return undefined
  const columns = plan.columns === undefined ? storedColumns : columnsRead(plan.output)
  const inMemory = few.inMemory === undefined ? [] : await inMemoryOf(few.inMemory, wanted, columns)
  if (inMemory === undefined) return undefined
  const from = plan.offset - few.skipped
  const end = plan.limit === undefined ? undefined : from + plan.limit
  const page = [...few.places, ...inMemory].toSorted(placeOrder(wanted)).slice(from, end)
  if (page.length > readLimits.pointRowsMax) return undefined
  const places = page.flatMap((place) => (place instanceof RowInMemory ? [] : [place]))
  const cells = await few.cells(places, columns)
  if (cells === undefined) return undefined
  const byPlace = new Map(places.map((place, at) => [place, itemAt(cells, at)]))
  const lineOf = rowLines(plan.output)
  const lines: string[] = []
  for (const place of page) {
    const found = place instanceof RowInMemory ? place.cells : valueAt(byPlace, place)
    const row = plan.columns === undefined ? withDerived(found) : withOthersBlank(found)
    if (row === undefined) return undefined
    lines.push(lineOf(row))
  }
  return lines
}

/** Plans whose answers have nothing but what the row of a call holds. */
const isOfRows = (plan: CallsPlan): plan is CallsPlan & { readonly output: RowOptions } => {
  const { output, after } = plan
  return isOfRow(output) && !output.omitNull && after === undefined && !readsSomethingElse(plan)
}

const readsSomethingElse = (plan: CallsPlan): boolean => readsFeedback(plan) || readsQueues(plan) || readsUsage(plan)

/**
 * The rows that the plan selects, if it is simple enough to be read without DuckDB; undefined
 * otherwise.
 */
function rowsWanted({ where, sort, limit, offset }: CallsPlan): RowsWanted | undefined {
  const [time, id] = sort
  if (sort.length !== 2 || time === undefined || id === undefined) return undefined
  if (!isColumn(time.field, 'started_at') || !isColumn(id.field, 'id')) return undefined
  const end = limit === undefined ? undefined : limit + offset
  if (limit !== undefined && limit > readLimits.pointRowsMax) return undefined
  const oneOf = valuesOf(where)
  // Without a bound, only ids keep the answer small.
  if (end === undefined && !boundingColumns.some((column) => oneOf.has(column))) return undefined
  if ([...oneOf.values()].some((texts) => texts.length > readLimits.pointTextsMax)) return undefined
  const areNull: string[] = []
  const compared = new Set<string>()
  for (const item of conjuncts(where)) {
    const [column] = valuesOf(item).keys()
    if (column !== undefined && textColumns.has(column) && !compared.has(column)) compared.add(column)
    else if (isRootsOnly(item)) areNull.push('parent_id')
    else if (intervalOf(item, 'started_at') === undefined) return undefined
  }
  return {
    oneOf,
    areNull,
    times: timesOf(where, 'started_at') ?? {},
    isTimeDescending: time.direction === 'desc',
    isIdDescending: id.direction === 'desc',
    limit: end,
    offset,
  }
}

const boundingColumns = ['id', 'trace_id', 'parent_id', 'thread_id']

const textColumns: ReadonlySet<string> = new Set(
  callsTable.columns.flatMap(({ name, type }) => (type === 'text' ? [name] : [])),
)

const isRootsOnly = (item: Expression): boolean =>
  item.kind === 'isNull' && item.value.kind === 'field' && isColumn(item.value.field, 'parent_id')

/** A call that is not in a data file. */
class RowInMemory implements RowPlace {
  readonly time: number
  readonly id: string
  readonly cells: NamedCells

  constructor(cells: NamedCells) {
    this.cells = cells
    this.time = present(numberIn(cells['started_at']), 'The start of a call')
    this.id = textIn(cells['id'])
  }
}

async function rowsInMemory(
  snapshot: Snapshot,
  plan: CallsPlan,
  { wanted, relation, columns }: { wanted: RowsWanted; relation: Relation; columns: readonly string[] },
): Promise<RowInMemory[] | undefined> {
  const { limit = readLimits.pointRowsMax + 1, isTimeDescending } = wanted
  const rowsOf = ({ projectId, where, sort }: CallsPlan) =>
    snapshot.rows(compilePlanned({ relation, projectId, where, columns, sort, limit }))
  const after = isTimeDescending && wanted.limit !== undefined ? recentSince(relation) : undefined
  const newest = after === undefined ? [] : await rowsOf(planWithin(plan, { after, through: undefined }))
  const rows = newest.length < limit ? await rowsOf(plan) : newest
  const found = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, itemAt(cells, at)])))
  // DuckDB knows where calls without a time belong.
  if (found.some((cells) => cells['started_at'] === null)) return undefined
  return found.map((cells) => new RowInMemory(cells))
}
