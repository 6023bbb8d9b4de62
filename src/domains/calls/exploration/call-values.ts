import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { pricedCallsCatalog } from '../../../engine/tables/calls-query.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Relation } from '../../../lib/relation.ts'
import { type CallsPlan, matchingRows, planWithin, type TimeWindow } from '../../../query/calls-plan.ts'
import { type CountableField, isOfUsage, type UsageField } from '../../../query/catalog.ts'
import type { RowsWanted } from '../../../query/check/lower.ts'
import { isExpensive } from '../../../query/cost.ts'
import { keyOfField, onlyTimes } from '../../../query/deciding-field.ts'
import type { InlineValues } from '../../../query/sql/inline-values.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs } from '../../costs/index.ts'
import { pricedRelations } from '../add-costs.ts'
import type { CallValues, CallValuesRequest } from '../model/exploration.ts'
import { planPricedRows, tablesOf } from '../plan.ts'
import { type CountRow, compileNumberRanges, compileValueCounts } from '../sql/value-counts.ts'
import { countableField } from './field-count.ts'
import { type Coverage, RecentCalls, type Stretch } from './recent-calls.ts'

/** The values of a field in the calls of some windows. */
interface Counts {
  /** Calls by the JSON text of their value. */
  readonly byValue: Map<string, number>
  calls: number
  missing: number
  numbers: number
  low: number
  high: number
  /** The rows that were counted. */
  readonly sources: Source[]
}

type Source = Omit<RowsWanted, 'columns'> | InlineValues

type RowsIn = (window: TimeWindow, relation: Relation) => Omit<RowsWanted, 'columns'>

/** Counts the values that calls have in a field. See docs/decisions/191-lists-from-samples.md. */
export class ValueCounter {
  private readonly store: Store
  private readonly costs: Costs

  constructor({ store, costs }: { store: Store; costs: Costs }) {
    this.store = store
    this.costs = costs
  }

  /** @throws DomainError InvalidField, InvalidRequest for a field that is not of the call itself */
  async count(reader: ProjectReader, request: CallValuesRequest, signal: AbortSignal): Promise<CallValues> {
    const field = countableField('Count the values of', request.path, pricedCallsCatalog)
    const conditions = { filter: request.filter, query: request.query }
    // The usage that is counted is read like usage that is filtered by.
    const counted = isOfUsage(field) ? [{ field: request.path, direction: 'asc' } as const] : undefined
    const plan = planPricedRows(reader, { ...conditions, sort_by: counted })
    const prefix = (request.prefix ?? '').toLowerCase()
    const limit = request.limit ?? explorationLimits.valuesListedDefault
    const scope = { projectId: plan.projectId, signal }
    return await this.store.read(tablesOf(plan), scope, async (snapshot) => {
      const more = field.kind === 'json' ? [field] : []
      const relations = await pricedRelations(this.costs, snapshot, plan, reader, more)
      const rowsIn: RowsIn = (window, relation) =>
        matchingRows(planWithin(plan, window), { ...relations, calls: relation })
      const { counts, coverage } =
        (await countStated(snapshot, plan, field, prefix)) ??
        (await countSampled(snapshot, plan, field, prefix, limit)) ??
        (await this.countAll(snapshot, plan, field, prefix, rowsIn, relations.calls))
      const histogram = await rangesOf(snapshot, counts, field)
      return {
        ...listed(counts, limit),
        ...(histogram && { histogram }),
        calls_read: counts.calls,
        is_sample: !coverage.isComplete,
        is_partial: coverage.isOutOfTime,
      }
    })
  }

  private async countAll(
    snapshot: Snapshot,
    plan: CallsPlan,
    field: CountableField | UsageField,
    prefix: string,
    rowsIn: RowsIn,
    relation: Relation,
  ): Promise<{ counts: Counts; coverage: Coverage }> {
    const counts = nothing()
    const countIn = async ({ window, relation }: Pick<Stretch, 'window' | 'relation'>) => {
      await addFrom(snapshot, counts, rowsIn(window, relation), field, prefix)
      return { found: 0, wanted: Number.POSITIVE_INFINITY }
    }
    // Columns are read so quickly that it is not worth dividing them.
    if (field.kind === 'column' && !isExpensive(plan.where)) {
      await countIn({ window: { after: undefined, through: undefined }, relation })
      return { counts, coverage: { isComplete: true, isOutOfTime: false } }
    }
    const recent = new RecentCalls(snapshot, relation, plan.projectId)
    return { counts, coverage: await recent.read(countIn) }
  }
}

const nothing = (): Counts => ({
  byValue: new Map(),
  calls: 0,
  missing: 0,
  numbers: 0,
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
  sources: [],
})

/** Counts the values of some rows. */
async function addFrom(
  snapshot: Snapshot,
  counts: Counts,
  source: Source,
  field: CountableField | UsageField,
  prefix: string,
  valuesMax: number = explorationLimits.valuesCounted,
): Promise<void> {
  const counted = { prefix, charsMax: explorationLimits.valueCharsMax, valuesMax }
  counts.sources.push(source)
  add(counts, await snapshot.rows(compileValueCounts(source, field, counted)))
}

/** Counts the values of all calls of some times, if most data files state theirs. */
async function countStated(
  snapshot: Snapshot,
  { projectId, where, anyOf }: CallsPlan,
  field: CountableField | UsageField,
  prefix: string,
): Promise<{ counts: Counts; coverage: Coverage } | undefined> {
  const key = isOfUsage(field) ? undefined : keyOfField(field)
  const bounds = onlyTimes(where, itemAt(callsTable.order, 1))
  if (key === undefined || bounds === undefined || Object.keys(anyOf).length > 0) return undefined
  const hints = { paths: key.includes('/') ? [key] : [], times: bounds.times }
  const found = await snapshot.valueCounts(callsTable.name, key, hints)
  if (found === undefined) return undefined
  const counts = nothing()
  await addFrom(snapshot, counts, { projectId, key, counts: found.counts }, field, prefix)
  await addFrom(snapshot, counts, { relation: found.rest, projectId, where }, field, prefix)
  return { counts, coverage: { isComplete: true, isOutOfTime: false } }
}

/**
 * Counts the values in a sample of the calls in the wanted time range, if there are too many calls
 * to read them all. Undefined if fewer values with the prefix are found than requested: the caller
 * then searches for more.
 */
async function countSampled(
  snapshot: Snapshot,
  { projectId, where, anyOf }: CallsPlan,
  field: CountableField | UsageField,
  prefix: string,
  limit: number,
): Promise<{ counts: Counts; coverage: Coverage } | undefined> {
  const key = isOfUsage(field) ? undefined : keyOfField(field)
  const bounds = onlyTimes(where, itemAt(callsTable.order, 1))
  if (key === undefined || bounds === undefined || Object.keys(anyOf).length > 0) return undefined
  const relation = await snapshot.sample(callsTable.name, {
    paths: key.includes('/') ? [key] : [],
    times: bounds.times,
  })
  if (relation === undefined) return undefined
  const counts = nothing()
  // Beside these, the calls without a value, and those whose value is not counted.
  await addFrom(snapshot, counts, { relation, projectId, where }, field, prefix, limit + 2)
  if (prefix !== '' && counts.byValue.size < limit) return undefined
  return { counts, coverage: { isComplete: false, isOutOfTime: false } }
}

function add(counts: Counts, rows: readonly CountRow[]): void {
  const [first] = rows
  if (first === undefined) return
  const { all_calls: calls, all_numbers: numbers, low, high } = first
  counts.calls += calls
  counts.numbers += numbers
  counts.low = Math.min(counts.low, low ?? Number.POSITIVE_INFINITY)
  counts.high = Math.max(counts.high, high ?? Number.NEGATIVE_INFINITY)
  for (const { value, calls } of rows) {
    if (value === null) counts.missing += calls
    else if (value !== '') {
      const spelled = counts.byValue.has(twinOf(value)) ? twinOf(value) : value
      counts.byValue.set(spelled, (counts.byValue.get(spelled) ?? 0) + calls)
    }
  }
}

/** The other spelling of an integral number. */
const twinOf = (value: string): string => (value.endsWith('.0') ? value.slice(0, -2) : `${value}.0`)

function listed({ byValue, calls, missing }: Counts, limit: number): Pick<CallValues, 'values' | 'missing' | 'other'> {
  const most = [...byValue].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, limit)
  const values = most.map(([text, count]) => ({ value: parseExactly(text), count }))
  return { values, missing, other: calls - missing - values.reduce((sum, { count }) => sum + count, 0) }
}

/** The distribution of the numbers, if most values are numbers and they differ. */
async function rangesOf(
  snapshot: Snapshot,
  { calls, missing, numbers, low, high, sources }: Counts,
  field: CountableField | UsageField,
): Promise<CallValues['histogram'] | undefined> {
  const width = (high - low) / explorationLimits.valueRanges
  if (numbers * 2 <= calls - missing || !(width > 0) || !Number.isFinite(width)) return undefined
  const found = new Array<number>(explorationLimits.valueRanges).fill(0)
  for (const source of sources) {
    const sql = compileNumberRanges(source, field, { low, high, ranges: explorationLimits.valueRanges })
    for (const { place, calls } of await snapshot.rows(sql)) found[place] = itemAt(found, place) + calls
  }
  return found.map((count, at) => ({
    from: low + at * width,
    to: at === explorationLimits.valueRanges - 1 ? high : low + (at + 1) * width,
    count,
  }))
}
