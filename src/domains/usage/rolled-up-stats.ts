import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { rollupSteps } from '../../engine/rollups/rollup-steps.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt } from '../../lib/present.ts'
import type { TimeRange } from '../../lib/relation.ts'
import type { Cell } from '../../lib/table.ts'
import type { UsageRate } from '../../query/calls-plan.ts'
import type { CountableField, Field } from '../../query/catalog.ts'
import { always, type Expression } from '../../query/expression.ts'
import { mapConditions, visitFields } from '../../query/walk.ts'
import type { TimeRange as Stretch } from '../records/index.ts'
import type { CallMetric, UsageMetric } from './model/call-stats.ts'
import type { MetricStatistics } from './sql/call-statistics.ts'
import type { RolledUpCalls, RolledUpRequest } from './sql/rolled-up-rows.ts'
import { compileRolledUpPercentiles, compileRolledUpStatistics } from './sql/rolled-up-statistics.ts'
import {
  compileRolledUpModels,
  compileRolledUpUsage,
  dividesStatedCost,
  havePrices,
  haveUsageStatistics,
} from './sql/rolled-up-usage.ts'

/** Columns of calls by which rollups add up. */
const groupColumns: readonly string[] = ['op_name', 'status', 'usage_model']

const isGroup = (field: Field): boolean => field.kind === 'column' && groupColumns.includes(field.column)

/**
 * Whether a condition and groups can be evaluated on rollups, which have a call's op, status and
 * model, and whether it is the root of a trace.
 */
function suitsRollups(where: Expression, groupField: CountableField | undefined): boolean {
  if (groupField !== undefined && !isGroup(groupField)) return false
  const others = mapConditions(where, (part) => (asksForRoot(part) ? always : part))
  let suits = true
  visitFields(others, (field) => {
    suits &&= isGroup(field)
  })
  return suits && !readsMore(others)
}

const asksForRoot = (part: Expression): boolean =>
  part.kind === 'isNull' &&
  part.value.kind === 'field' &&
  part.value.field.kind === 'column' &&
  part.value.field.column === 'parent_id'

/** Conditions on feedback and queues name a call by its id. */
function readsMore(where: Expression): boolean {
  let reads = false
  mapConditions(where, (part) => {
    reads ||= part.kind === 'anyFeedback' || part.kind === 'anyQueueItem'
    return part
  })
  return reads
}

/** The whole steps within a time range; undefined if there are none. */
function wholeSteps({ from, until }: TimeRange, stepMicros: number): TimeRange | undefined {
  const whole = { from: Math.ceil(from / stepMicros) * stepMicros, until: Math.floor(until / stepMicros) * stepMicros }
  return whole.from < whole.until ? whole : undefined
}

/**
 * The longest step of rollups that divides all buckets of that size, with these offsets from UTC in
 * seconds; undefined if none does.
 */
function stepOfBuckets(granularitySeconds: number, offsets: readonly number[]): number | undefined {
  const divides = (stepMicros: number) =>
    [granularitySeconds, ...offsets].every((seconds) => (seconds * 1e6) % stepMicros === 0)
  return [rollupSteps.hour, rollupSteps.minute].find(divides)
}

/** What a request asks of rollups. */
interface RollupsAsked {
  readonly offsets: readonly number[]
  readonly where: Expression
  readonly groupField: CountableField | undefined
  /** Whether only sums and numbers of calls matter. */
  readonly onlySums: boolean
}

/** The calls of a request, as rows and rollups; undefined if rollups cannot answer it. */
export async function rolledUpCalls(
  snapshot: Snapshot,
  { start, end, granularitySeconds }: Stretch,
  { offsets, where, groupField, onlySums }: RollupsAsked,
): Promise<RolledUpCalls | undefined> {
  const range = { from: start, until: end }
  const stepMicros = stepOfBuckets(granularitySeconds, offsets)
  const whole = stepMicros && wholeSteps(range, stepMicros)
  if (!stepMicros || !whole || !suitsRollups(where, groupField)) return undefined
  const calls = await snapshot.rolledUp(callsTable.name, { range, whole, stepMicros, onlySums })
  return calls && { ...calls, whole, stepMicros }
}

/** The rows of `compileCallStatistics`. */
export async function rolledUpCallRows(
  snapshot: Snapshot,
  request: RolledUpRequest,
  metrics: readonly MetricStatistics<CallMetric>[],
): Promise<Cell[][]> {
  const rows = await snapshot.rows(compileRolledUpStatistics(request, metrics))
  const shares = [...new Set(metrics.flatMap(sharesOf))]
  if (shares.length === 0) return rows
  const found = await snapshot.rows(compileRolledUpPercentiles(request, shares))
  const percentiles = new Map(found.map(([bucket, place, ...values]) => [`${bucket} ${place}`, values]))
  const aggregations = metrics.flatMap(({ statistics }) => statistics.map(({ of }) => of))
  return rows.map((row) => {
    const [bucket, place] = row
    const values = percentiles.get(`${bucket} ${place}`)
    const whole = aggregations.map((of, index) =>
      typeof of === 'number' ? (values?.[shares.indexOf(of / 100)] ?? null) : itemAt(row, keyColumns + index),
    )
    return [...row.slice(0, keyColumns), ...whole]
  })
}

/** Columns of `compileCallStatistics` before the statistics: bucket, place and number of calls. */
const keyColumns = 3

const sharesOf = ({ statistics }: MetricStatistics<CallMetric>): number[] =>
  statistics.flatMap(({ of }) => (typeof of === 'number' ? [of / 100] : []))

/**
 * The rows of `compileUsageStatistics`; undefined if rollups do not suffice.
 *
 * @param ratesOf prices of models; undefined if constant prices do not suffice
 */
export async function rolledUpUsageRows(
  snapshot: Snapshot,
  request: RolledUpRequest,
  metrics: readonly MetricStatistics<UsageMetric>[],
  ratesOf: (models: readonly (string | null)[]) => readonly UsageRate[] | undefined,
): Promise<Cell[][] | undefined> {
  if (!haveUsageStatistics(metrics)) return undefined
  const models = await snapshot.rows(compileRolledUpModels(request))
  if (dividesStatedCost(metrics) && models.some(({ stated }) => stated !== 0)) return undefined
  const rates = ratesOf(models.map(({ model }) => model))
  if (rates === undefined || !havePrices(rates)) return undefined
  return await snapshot.rows(compileRolledUpUsage(request, metrics, rates))
}

/** Answers with rollups, and again without them if one has vanished or cannot be read. */
export async function withOrWithoutRollups<T>(store: Store, answer: (usesRollups: boolean) => Promise<T>): Promise<T> {
  try {
    return await answer(true)
  } catch (cause) {
    if (!(cause instanceof DomainError && cause.type === 'DataDamaged')) throw cause
    store.checkRollups(callsTable.name)
    return await answer(false)
  }
}
