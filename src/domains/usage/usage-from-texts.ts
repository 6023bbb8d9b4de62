import { countTokens, type StatedTokens, statedTokens, type TokenCounts } from '../../lib/count-tokens.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { itemAt } from '../../lib/present.ts'
import type { ColumnsOf } from '../../lib/typed-rows.ts'
import type { PriceBook } from '../costs/index.ts'
import type { Statistic, UsageMetric } from './model/call-stats.ts'
import type { MetricStatistics, UsageText } from './sql/call-statistics.ts'

/** Collects the values of one metric in one bucket; keeps them only if a percentile needs them. */
export class Accumulator {
  private sum = 0
  private count = 0
  private trues = 0
  private min: number | null = null
  private max: number | null = null
  private readonly values: number[] | undefined

  constructor(statistics: readonly Statistic[]) {
    this.values = statistics.some(({ of }) => typeof of === 'number') ? [] : undefined
  }

  add(value: number): void {
    this.sum += value
    this.count++
    if (value !== 0) this.trues++
    if (this.min === null || value < this.min) this.min = value
    if (this.max === null || value > this.max) this.max = value
    this.values?.push(value)
  }

  /** Without values, sums, averages and counts are 0, everything else is null. */
  statistic(of: Statistic['of']): number | null {
    switch (of) {
      case 'sum':
        return this.sum
      case 'avg':
        return this.count === 0 ? 0 : this.sum / this.count
      case 'min':
        return this.min
      case 'max':
        return this.max
      case 'count':
        return this.count
      case 'count_true':
        return this.trues
      case 'count_false':
        return this.count - this.trues
      default:
        return this.percentile(of / 100)
    }
  }

  /** Interpolates between the two nearest values. */
  private percentile(share: number): number | null {
    const values = this.values?.sort((a, b) => a - b) ?? []
    if (values.length === 0) return null
    const at = share * (values.length - 1)
    const [low, high] = [itemAt(values, Math.floor(at)), itemAt(values, Math.ceil(at))]
    return low + (high - low) * (at - Math.floor(at))
  }
}

type UsageMetrics = readonly MetricStatistics<UsageMetric>[]

/** Values of one bucket, group and model: number of calls, then the requested metrics in order. */
export interface UsageStatistics {
  readonly bucket: number
  /** Place of the group. */
  readonly place: number
  readonly model: string
  readonly statistics: readonly (number | null)[]
}

/** Undefined for values that a usage does not report: no observation. */
type UsageValues = Readonly<Record<UsageMetric, number | undefined>>

/** Sums usage from the calls themselves. */
export class UsageFromTexts {
  private readonly metrics: UsageMetrics
  private readonly prices: PriceBook
  private readonly found = new Map<string, Group>()

  constructor(metrics: UsageMetrics, prices: PriceBook) {
    this.metrics = metrics
    this.prices = prices
  }

  /** Adds rows by column. */
  add({ bucket: buckets, usage: usages, startedAt: starts, place: places }: ColumnsOf<UsageText>): void {
    for (const [row, text] of usages.entries()) {
      const byModel: unknown = text === null ? null : JSON.parse(text)
      if (!isJsonObject(byModel)) continue
      for (const [model, usage] of Object.entries(byModel)) {
        if (!isJsonObject(usage)) continue
        const [bucket, place] = [itemAt(buckets, row), itemAt(places, row)]
        const key = `${bucket} ${place} ${model}`
        const group = this.found.get(key) ?? new Group(bucket, place, model, this.metrics)
        this.found.set(key, group)
        group.add(valuesOf(model, usage, itemAt(starts, row), this.prices))
      }
    }
  }

  get statistics(): UsageStatistics[] {
    return [...this.found.values()].map((group) => ({
      bucket: group.bucket,
      place: group.place,
      model: group.model,
      statistics: group.statistics,
    }))
  }
}

class Group {
  readonly bucket: number
  readonly place: number
  readonly model: string
  private rows = 0
  private readonly requested: readonly { metric: UsageMetric; statistics: readonly Statistic[]; values: Accumulator }[]

  constructor(bucket: number, place: number, model: string, metrics: UsageMetrics) {
    this.bucket = bucket
    this.place = place
    this.model = model
    this.requested = metrics.map(({ metric, statistics }) => ({
      metric,
      statistics,
      values: new Accumulator(statistics),
    }))
  }

  add(values: UsageValues): void {
    this.rows++
    for (const { metric, values: accumulator } of this.requested) {
      const value = values[metric]
      if (value !== undefined) accumulator.add(value)
    }
  }

  get statistics(): (number | null)[] {
    return [
      this.rows,
      ...this.requested.flatMap(({ statistics, values }) => statistics.map(({ of }) => values.statistic(of))),
    ]
  }
}

/** A total that the client does not state is the sum of input and output. */
function totalOf({ prompt, completion, total }: TokenCounts, stated: StatedTokens): number | undefined {
  if (total > 0) return total
  if (stated.prompt || stated.completion) return prompt + completion
  return stated.total ? total : undefined
}

function valuesOf(model: string, usage: Record<string, unknown>, startedAt: number, prices: PriceBook): UsageValues {
  const tokens = countTokens(usage)
  const stated = statedTokens(usage)
  const cost = prices.entryOf(model, usage, startedAt)
  const input = cost
    ? cost.prompt_tokens_total_cost +
      cost.cache_read_input_tokens_total_cost +
      cost.cache_creation_input_tokens_total_cost
    : 0
  const output = cost?.completion_tokens_total_cost ?? 0
  return {
    input_tokens: stated.prompt ? tokens.prompt : undefined,
    output_tokens: stated.completion ? tokens.completion : undefined,
    total_tokens: totalOf(tokens, stated),
    cache_read_input_tokens: stated.cacheRead ? tokens.cacheRead : undefined,
    cache_creation_input_tokens: stated.cacheCreation ? tokens.cacheCreation : undefined,
    input_cost: input,
    output_cost: output,
    total_cost: input + output,
  }
}
