import type { Snapshot } from '../../engine/reads/snapshot.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { queryLimits } from '../../lib/limits/queries.ts'
import { itemAt, memberOf } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { type ColumnsOf, rowShape } from '../../lib/typed-rows.ts'
import { type CallsPlan, type Relations, readsCost, readsUsage, type TimedRate } from '../../query/calls-plan.ts'
import type { Field } from '../../query/catalog.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import type { SplitLine } from '../../query/sql/statements.ts'
import { compileUsedModels } from '../../query/sql/usage-fields.ts'
import type { ProjectReader } from '../access/index.ts'
import { type Costs, type PriceBook, timedRates } from '../costs/index.ts'
import { relationsOf } from './plan.ts'

/**
 * The data files and memtables that a plan has to read, with the usage of calls and its prices if
 * it names them.
 *
 * @param more fields that are read besides those of the plan
 * @throws DomainError InvalidRequest for more prices than a query can compare with
 */
export async function pricedRelations(
  costs: Costs,
  snapshot: Snapshot,
  plan: CallsPlan,
  reader: ProjectReader,
  more: readonly Field[] = [],
): Promise<Relations> {
  const relations = await relationsOf(snapshot, plan, more)
  if (!readsUsage(plan)) return relations
  const rates = readsCost(plan) ? await ratesOf(costs, snapshot, reader) : []
  return { ...relations, usage: { calls: relations.traces, rates } }
}

async function ratesOf(costs: Costs, snapshot: Snapshot, reader: ProjectReader): Promise<TimedRate[]> {
  const sql = compileUsedModels(snapshot.relation(callsTable.name), reader.projectId)
  const models = await snapshot.rows({ ...sql, shape: rowShape({ model: 'text', from: 'number', through: 'number' }) })
  const prices = await costs.priceBook(snapshot, reader)
  const rates: TimedRate[] = []
  for (const { model, from, through } of models) {
    rates.push(...timedRates(model, prices.pricesBetween(model, from, through)))
    if (rates.length > queryLimits.queryRatesMax) {
      throw new DomainError(
        'InvalidRequest',
        `Cannot filter or sort by cost: the models of this project have more than ${queryLimits.queryRatesMax} prices`,
      )
    }
  }
  return rates
}

/**
 * The prices that a plan needs, from a snapshot of its tables; undefined if it does not include
 * costs.
 */
export const pricesFor = async (
  costs: Costs,
  snapshot: Snapshot,
  plan: CallsPlan,
  reader: ProjectReader,
): Promise<PriceBook | undefined> => (plan.output.costs ? await costs.priceBook(snapshot, reader) : undefined)

/**
 * Inserts the costs of each call between the two halves of its line. Only the usage is parsed; the
 * rest of a line passes through as text. See docs/decisions/023-costs-and-feedback-in-calls.md.
 *
 * @param chunks columns of `compileSplitJsonLines`
 */
export async function* linesWithCosts(
  chunks: AsyncGenerator<ColumnsOf<SplitLine>>,
  prices: PriceBook,
): AsyncGenerator<string[]> {
  for await (const { head: heads, tail: tails, usage, start } of chunks) {
    yield heads.map((head, row) =>
      joined(head, itemAt(tails, row), costsText(prices, itemAt(usage, row), itemAt(start, row))),
    )
  }
}

/** One line from a row of `compileSplitJsonLines`. */
export const lineWithCosts = ({ head, tail, usage, start }: SplitLine, prices: PriceBook): string =>
  joined(head, tail, costsText(prices, usage, start))

const joined = (head: string, tail: string, costs: string | undefined): string =>
  costs === undefined ? head + tail : `${head},"costs":${costs}${tail}`

/** An output column that contains costs. */
export interface CostlyColumn {
  readonly index: number
  /** Path in the summary; empty for the whole summary. */
  readonly path: readonly string[]
}

/** Columns that contain the summary, the server's part of it, or something in its costs. */
export function costlyColumns(plan: CallsPlan, columns: readonly OutputColumn[]): CostlyColumn[] {
  const { namespace } = plan.output
  return columns.flatMap(({ name }, index): CostlyColumn[] => {
    const column = plan.columns?.find((column) => column.name === name)
    if (plan.columns === undefined) return name === 'summary' ? [{ index, path: [] }] : []
    if (column?.member !== 'summary') return []
    const [first, second] = column.path
    const holds = first === undefined || (first === namespace && (second === undefined || second === 'costs'))
    return holds ? [{ index, path: column.path }] : []
  })
}

/** The columns that are needed for costs. */
const needed = rowShape({ own: 'text', usage: 'json?', start: 'time' })

/**
 * Adds costs to the columns that contain them.
 *
 * @param chunks columns of `compileTable` for a plan with costs; the three columns needed for costs
 *   are removed
 */
export async function* tableWithCosts(
  chunks: AsyncGenerator<Cell[][]>,
  costly: readonly CostlyColumn[],
  prices: PriceBook,
): AsyncGenerator<Cell[][]> {
  for await (const columns of chunks) {
    const requested = columns.slice(0, -3)
    const { own: owns, usage, start } = needed.readColumns(columns.slice(-3))
    owns.forEach((own, row) => {
      const costs = costly.length === 0 ? undefined : costsText(prices, itemAt(usage, row), itemAt(start, row))
      if (costs === undefined) return
      for (const { index, path } of costly)
        itemAt(requested, index)[row] = withCosts(itemAt(itemAt(requested, index), row), path, own, costs)
    })
    yield requested
  }
}

function withCosts(cell: Cell, path: readonly string[], own: string, costs: string): Cell {
  if (path.length === 0 || path.length === 1) {
    // `own` is the start of the summary: `{"ext":{"status":…`.
    const start = path.length === 0 ? own : own.slice(own.indexOf('{', 1))
    return `${start},"costs":${costs}${String(cell).slice(start.length)}`
  }
  const whole: unknown = JSON.parse(costs)
  const value = path.slice(2).reduce(memberOf, whole)
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function costsText(prices: PriceBook, usage: string | null, startedAt: number): string | undefined {
  if (usage === null || usage === '{}') return undefined
  const costs = prices.costsOf(JSON.parse(usage), startedAt)
  return costs && JSON.stringify(costs)
}
