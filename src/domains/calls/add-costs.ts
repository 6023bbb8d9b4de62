import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Cell } from '../../lib/table.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import type { OutputColumn } from '../../query/sql/call-columns.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Costs, PriceBook } from '../costs/index.ts'

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
export async function* linesWithCosts(chunks: AsyncGenerator<Cell[][]>, prices: PriceBook): AsyncGenerator<string[]> {
  for await (const [heads, tails, usages, starts] of chunks as AsyncGenerator<SplitLines>) {
    yield heads.map((head, row) => lineWithCosts([head, tails[row]!, usages[row]!, starts[row]!], prices))
  }
}

/** One line from a row of `compileSplitJsonLines`. */
export function lineWithCosts(row: readonly Cell[], prices: PriceBook): string {
  const [head, tail, usage, start] = row as [string, string, string | null, number]
  const costs = costsText(prices, usage, start)
  return costs === undefined ? head + tail : `${head},"costs":${costs}${tail}`
}

type SplitLines = [heads: string[], tails: string[], usages: (string | null)[], starts: number[]]

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
    const asked = plan.columns?.find((column) => column.name === name)
    if (plan.columns === undefined) return name === 'summary' ? [{ index, path: [] }] : []
    if (asked?.member !== 'summary') return []
    const [first, second] = asked.path
    const holds = first === undefined || (first === namespace && (second === undefined || second === 'costs'))
    return holds ? [{ index, path: asked.path }] : []
  })
}

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
    const asked = columns.slice(0, -3)
    const [owns, usages, starts] = columns.slice(-3) as [string[], (string | null)[], number[]]
    owns.forEach((own, row) => {
      const costs = costly.length === 0 ? undefined : costsText(prices, usages[row]!, starts[row]!)
      if (costs === undefined) return
      for (const { index, path } of costly) asked[index]![row] = withCosts(asked[index]![row]!, path, own, costs)
    })
    yield asked
  }
}

function withCosts(cell: Cell, path: readonly string[], own: string, costs: string): Cell {
  if (path.length === 0 || path.length === 1) {
    // `own` is the start of the summary: `{"ext":{"status":…`.
    const start = path.length === 0 ? own : own.slice(own.indexOf('{', 1))
    return `${start},"costs":${costs}${(cell as string).slice(start.length)}`
  }
  const value = path.slice(2).reduce(memberOf, JSON.parse(costs) as unknown)
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined

function costsText(prices: PriceBook, usage: string | null, startedAt: number): string | undefined {
  if (usage === null || usage === '{}') return undefined
  const costs = prices.costsOf(JSON.parse(usage), startedAt)
  return costs && JSON.stringify(costs)
}
