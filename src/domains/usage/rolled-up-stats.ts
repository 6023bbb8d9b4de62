import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import type { Cell } from '../../lib/table.ts'
import type { CountableField } from '../../query/catalog.ts'
import type { Expression } from '../../query/expression.ts'
import type { UsageRate } from '../../query/usage-source.ts'
import type { TimeRange as Stretch } from '../records/time-range.ts'
import type { CallMetric, UsageMetric } from './model/call-stats.ts'
import { areOfWholeHours, suitsRollups, wholeHours } from './plan/rollup-plan.ts'
import type { MetricFigures } from './sql/call-figures.ts'
import { compileRolledUpFigures, compileRolledUpPercentiles } from './sql/rolled-up-figures.ts'
import type { RolledUpCalls, RolledUpQuestion } from './sql/rolled-up-rows.ts'
import {
  compileRolledUpModels,
  compileRolledUpUsage,
  dividesStatedCost,
  havePrices,
  haveUsageFigures,
} from './sql/rolled-up-usage.ts'

/** The calls of a question with what rollups cover; undefined if they are of no use for it. */
export async function rolledUpCalls(
  snapshot: Snapshot,
  { start, end, granularitySeconds }: Stretch,
  offsets: readonly number[],
  where: Expression,
  groupField: CountableField | undefined,
): Promise<RolledUpCalls | undefined> {
  const range = { from: start, until: end }
  const hours = wholeHours(range)
  if (hours === undefined || !areOfWholeHours(granularitySeconds, offsets)) return undefined
  if (!suitsRollups(where, groupField)) return undefined
  const calls = await snapshot.rolledUp(callsTable.name, { range, hours })
  return calls && { ...calls, hours }
}

/** The rows of `compileCallFigures`. */
export async function rolledUpCallRows(
  snapshot: Snapshot,
  question: RolledUpQuestion,
  metrics: readonly MetricFigures<CallMetric>[],
): Promise<Cell[][]> {
  const rows = await snapshot.rows(compileRolledUpFigures(question, metrics))
  const shares = [...new Set(metrics.flatMap(sharesOf))]
  if (shares.length === 0) return rows
  const found = await snapshot.rows(compileRolledUpPercentiles(question, shares))
  const percentiles = new Map(found.map(([bucket, place, ...values]) => [`${bucket} ${place}`, values]))
  const asked = metrics.flatMap(({ figures }) => figures.map(({ of }) => of))
  return rows.map(([bucket, place, count, ...figures]) => {
    const values = percentiles.get(`${bucket} ${place}`)
    const whole = figures.map((figure, index) => {
      const of = asked[index]!
      return typeof of === 'number' ? (values?.[shares.indexOf(of / 100)] ?? null) : figure
    })
    return [bucket!, place!, count!, ...whole]
  })
}

const sharesOf = ({ figures }: MetricFigures<CallMetric>): number[] =>
  figures.flatMap(({ of }) => (typeof of === 'number' ? [of / 100] : []))

/**
 * The rows of `compileUsageFigures`; undefined if rollups do not suffice.
 *
 * @param ratesOf prices of models; undefined if constant prices do not suffice
 */
export async function rolledUpUsageRows(
  snapshot: Snapshot,
  question: RolledUpQuestion,
  metrics: readonly MetricFigures<UsageMetric>[],
  ratesOf: (models: readonly (string | null)[]) => readonly UsageRate[] | undefined,
): Promise<Cell[][] | undefined> {
  if (!haveUsageFigures(metrics)) return undefined
  const models = await snapshot.rows(compileRolledUpModels(question))
  if (dividesStatedCost(metrics) && models.some(([, stated]) => stated !== 0)) return undefined
  const rates = ratesOf(models.map(([model]) => model as string | null))
  if (rates === undefined || !havePrices(rates)) return undefined
  return await snapshot.rows(compileRolledUpUsage(question, metrics, rates))
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
