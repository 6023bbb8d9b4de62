import { DomainError } from '../../errors.ts'
import type { CallMetric, CallStats, CallStatsQuestion, UsageMetric } from '../../model/call-stats.ts'
import type { ProjectReader } from '../../model/caller.ts'
import type { Cell } from '../../model/table.ts'
import { formatTime } from '../../model/time.ts'
import type { Clock } from '../../platform/clock.ts'
import { compileBuckets, compileCallFigures } from '../../query/call-stats.ts'
import { parseCallsFilter } from '../../query/filter.ts'
import type { Store } from '../../store/store.ts'
import { callsTable } from '../calls/calls-table.ts'
import type { Costs } from '../costs/costs.ts'
import { costsTable } from '../costs/costs-table.ts'
import { countTokens } from '../costs/count-tokens.ts'
import type { PriceBook } from '../costs/price-book.ts'
import { Accumulator, type Aggregation, type Figure } from './accumulator.ts'
import { parseTimeRange } from './time-range.ts'

type Metrics = ReadonlyMap<string, readonly Figure[]>
type Values = Readonly<Record<string, number | null>>

/** Figures over calls, by time, and over their usage, by time and model. */
export class CallStatistics {
  private readonly store: Store
  private readonly costs: Costs
  private readonly clock: Clock
  private readonly queryTimeoutMs: number

  constructor(options: { store: Store; costs: Costs; clock: Clock; queryTimeoutMs: number }) {
    this.store = options.store
    this.costs = options.costs
    this.clock = options.clock
    this.queryTimeoutMs = options.queryTimeoutMs
  }

  /** @throws DomainError InvalidRequest for a range, a filter or a percentile that cannot be */
  async stats(reader: ProjectReader, question: CallStatsQuestion): Promise<CallStats> {
    const range = parseTimeRange(question, this.clock.nowMs())
    const { timezone, granularitySeconds: granularity } = range
    const times = { start: formatTime(range.start), end: formatTime(range.end), timezone }
    const usageMetrics = usageMetricsOf(question)
    const callMetrics = metricsOf(question.call_metrics ?? [])
    if (usageMetrics.size + callMetrics.size === 0) {
      return { ...times, granularity: 0, usage_buckets: [], call_buckets: [] }
    }
    const { projectId } = reader
    const scope = { projectId, where: parseCallsFilter(question.filter, projectId), start: range.start, end: range.end }
    await using snapshot = await this.store.snapshot([callsTable.name, costsTable.name])
    const limits = { timeoutMs: this.queryTimeoutMs }
    const prices = await this.costs.priceBook(snapshot, reader)
    const series = (await snapshot.reader.rows(compileBuckets(range, range), limits)).map(
      ([bucket]) => bucket as number,
    )
    const calls = new Collected(callMetrics)
    const usage = new Collected(usageMetrics)
    const relation = snapshot.relation(callsTable.name, { projectId })
    for await (const columns of snapshot.reader.columns(compileCallFigures(scope, range, relation), limits)) {
      collect(columns, calls, usage, prices)
    }
    return {
      ...times,
      granularity,
      usage_buckets: series.flatMap((bucket) =>
        usage.groups.map((model) => ({ timestamp: formatTime(bucket), model, ...usage.figures(bucket, model) })),
      ),
      call_buckets:
        callMetrics.size === 0
          ? []
          : series.map((bucket) => ({ timestamp: formatTime(bucket), ...calls.figures(bucket, '') })),
    }
  }
}

function collect(columns: Cell[][], calls: Collected, usage: Collected, prices: PriceBook): void {
  const [buckets, latencies, errors, usages, starts] = columns as [
    number[],
    (number | null)[],
    number[],
    (string | null)[],
    number[],
  ]
  buckets.forEach((bucket, row) => {
    const ofCall: Record<CallMetric, number | null> = {
      latency_ms: latencies[row]!,
      call_count: 1,
      error_count: errors[row]!,
    }
    calls.add(bucket, '', ofCall)
    const text = usages[row]!
    if (usage.metrics.size === 0 || text === null) return
    const byModel: unknown = JSON.parse(text)
    if (typeof byModel !== 'object' || byModel === null || Array.isArray(byModel)) return
    for (const [model, figures] of Object.entries(byModel)) {
      if (typeof figures !== 'object' || figures === null || Array.isArray(figures)) continue
      usage.add(bucket, model, valuesOf(model, figures as Record<string, unknown>, starts[row]!, prices))
    }
  })
}

function valuesOf(
  model: string,
  figures: Record<string, unknown>,
  startedAt: number,
  prices: PriceBook,
): Record<UsageMetric, number> {
  const tokens = countTokens(figures)
  const cost = prices.entryOf(model, figures, startedAt)
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

/** Values by bucket and group. */
class Collected {
  readonly metrics: Metrics
  private readonly found = new Map<string, { rows: number; values: Map<string, Accumulator> }>()
  private readonly seen = new Set<string>()

  constructor(metrics: Metrics) {
    this.metrics = metrics
  }

  get groups(): string[] {
    return [...this.seen].sort()
  }

  add(bucket: number, group: string, values: Values): void {
    if (this.metrics.size === 0) return
    const key = `${bucket} ${group}`
    const known = this.found.get(key) ?? this.begin(key, group)
    known.rows++
    for (const [metric, accumulator] of known.values) {
      const value = values[metric]
      if (value !== null && value !== undefined) accumulator.add(value)
    }
  }

  figures(bucket: number, group: string): Record<string, number | null> {
    const { rows, values } = this.found.get(`${bucket} ${group}`) ?? { rows: 0, values: this.accumulators() }
    const entries = [...this.metrics].flatMap(([metric, figures]) =>
      figures.map(({ of, name }) => [`${name}_${metric}`, values.get(metric)!.figure(of)] as const),
    )
    return { ...Object.fromEntries(entries), count: rows }
  }

  private begin(key: string, group: string) {
    const fresh = { rows: 0, values: this.accumulators() }
    this.found.set(key, fresh)
    this.seen.add(group)
    return fresh
  }

  private accumulators(): Map<string, Accumulator> {
    return new Map([...this.metrics].map(([metric, figures]) => [metric, new Accumulator(figures)]))
  }
}

interface AskedMetric {
  readonly metric: string
  readonly aggregations?: readonly Aggregation[] | null | undefined
  readonly percentiles?: readonly number[] | null | undefined
}

function metricsOf(asked: readonly AskedMetric[]): Map<string, Figure[]> {
  const metrics = new Map<string, Figure[]>()
  for (const { metric, aggregations, percentiles } of asked) {
    const wrong = percentiles?.find((percentile) => percentile < 0 || percentile > 100)
    if (wrong !== undefined) {
      throw new DomainError('InvalidRequest', `Read metrics: percentile ${wrong} is not between 0 and 100`)
    }
    const figures = [...(aggregations ?? []), ...(percentiles ?? [])].map((of) => figureOf(of))
    metrics.set(metric, [...(metrics.get(metric) ?? []), ...(figures.length === 0 ? [figureOf('sum')] : figures)])
  }
  return metrics
}

const figureOf = (of: Figure['of']): Figure => ({ of, name: typeof of === 'number' ? `p${of}` : of })

/** Costs are summed only, and come with the tokens that they are for. */
function usageMetricsOf({ usage_metrics }: CallStatsQuestion): Map<string, Figure[]> {
  const asked = (usage_metrics ?? []).flatMap((spec): AskedMetric[] => {
    if (!spec.metric.endsWith('_cost')) return [spec]
    const tokens =
      spec.metric === 'total_cost' ? ['input_tokens', 'output_tokens'] : [spec.metric.replace('cost', 'tokens')]
    return [spec.metric, ...tokens].map((metric) => ({ metric, aggregations: ['sum'] }))
  })
  return metricsOf(asked)
}
