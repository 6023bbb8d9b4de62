import type { Figure, UsageMetric } from '../../model/call-stats.ts'
import type { Cell } from '../../model/table.ts'
import type { MetricFigures } from '../../query/call-stats.ts'
import { countTokens } from '../costs/count-tokens.ts'
import type { PriceBook } from '../costs/price-book.ts'
import { Accumulator } from './accumulator.ts'

type UsageMetrics = readonly MetricFigures<UsageMetric>[]

/** Figures of one bucket and model: how many calls, then those that are asked for, in order. */
export interface UsageFigures {
  readonly bucket: number
  readonly model: string
  readonly figures: readonly (number | null)[]
}

/** Figures of usage from the calls themselves, columns of bucket, usage as JSON text, and start. */
export async function usageFromTexts(
  chunks: AsyncIterable<Cell[][]>,
  metrics: UsageMetrics,
  prices: PriceBook,
): Promise<UsageFigures[]> {
  const found = new Map<string, Group>()
  for await (const [buckets, usages, starts] of chunks as AsyncIterable<[number[], (string | null)[], number[]]>) {
    for (const [row, text] of usages.entries()) {
      const byModel: unknown = text === null ? null : JSON.parse(text)
      if (!isObject(byModel)) continue
      for (const [model, usage] of Object.entries(byModel)) {
        if (!isObject(usage)) continue
        const key = `${buckets[row]} ${model}`
        const group = found.get(key) ?? new Group(buckets[row]!, model, metrics)
        found.set(key, group)
        group.add(valuesOf(model, usage, starts[row]!, prices))
      }
    }
  }
  return [...found.values()].map((group) => ({ bucket: group.bucket, model: group.model, figures: group.figures }))
}

class Group {
  readonly bucket: number
  readonly model: string
  private rows = 0
  private readonly asked: readonly { metric: UsageMetric; figures: readonly Figure[]; values: Accumulator }[]

  constructor(bucket: number, model: string, metrics: UsageMetrics) {
    this.bucket = bucket
    this.model = model
    this.asked = metrics.map(({ metric, figures }) => ({ metric, figures, values: new Accumulator(figures) }))
  }

  add(values: Record<UsageMetric, number>): void {
    this.rows++
    for (const { metric, values: accumulator } of this.asked) accumulator.add(values[metric])
  }

  get figures(): (number | null)[] {
    return [this.rows, ...this.asked.flatMap(({ figures, values }) => figures.map(({ of }) => values.figure(of)))]
  }
}

function valuesOf(
  model: string,
  usage: Record<string, unknown>,
  startedAt: number,
  prices: PriceBook,
): Record<UsageMetric, number> {
  const tokens = countTokens(usage)
  const cost = prices.entryOf(model, usage, startedAt)
  const input = cost
    ? cost.prompt_tokens_total_cost +
      cost.cache_read_input_tokens_total_cost +
      cost.cache_creation_input_tokens_total_cost
    : 0
  const output = cost?.completion_tokens_total_cost ?? 0
  return {
    input_tokens: tokens.prompt,
    output_tokens: tokens.completion,
    total_tokens: tokens.total,
    cache_read_input_tokens: tokens.cacheRead,
    cache_creation_input_tokens: tokens.cacheCreation,
    input_cost: input,
    output_cost: output,
    total_cost: input + output,
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
