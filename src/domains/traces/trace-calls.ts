import { opShortName } from '../../formats/dialect/ref.ts'
import { opNameOf } from '../../formats/mapping/spans/span-attributes.ts'
import { HeldBytes } from '../../lib/concurrency.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { itemAt } from '../../lib/present.ts'
import type { ColumnsOf } from '../../lib/typed-rows.ts'
import type { PriceBook } from '../costs/index.ts'
import { ownUsage } from '../usage/index.ts'
import type { TraceCallRow } from './sql/trace-calls.ts'

/** Usage of one call, over all models. */
export interface CallUsage {
  /** The first model of the usage. */
  readonly model: string
  readonly tokensIn: number
  readonly tokensOut: number
  readonly tokensCached: number
  readonly tokens: number
  /** Null if none of the models has a price. */
  readonly cost: number | null
}

/**
 * The usage of a call; undefined without any.
 *
 * @param text `summary.usage` as JSON text
 * @param startedAt microseconds since 1970 UTC
 */
function callUsage(text: string | null, startedAt: number, prices: PriceBook): CallUsage | undefined {
  const byModel = ownUsage(text, startedAt, prices)
  const [model] = byModel.keys()
  if (model === undefined) return undefined
  const sum = { tokensIn: 0, tokensOut: 0, tokensCached: 0, tokens: 0 }
  let cost: number | null = null
  for (const [name, figures] of byModel) {
    sum.tokensIn += figures.prompt_tokens
    sum.tokensOut += figures.completion_tokens
    sum.tokensCached += figures.cache_read_input_tokens
    sum.tokens += figures.total_tokens
    const own =
      (figures.prompt_tokens_total_cost ?? 0) +
      (figures.completion_tokens_total_cost ?? 0) +
      (figures.cache_read_input_tokens_total_cost ?? 0) +
      (figures.cache_creation_input_tokens_total_cost ?? 0)
    // Without a price, a client may have stated the cost.
    if (own === 0 && !prices.hasPrice(name, startedAt)) continue
    cost = (cost ?? 0) + own
  }
  return { model, ...sum, cost }
}

/** Values that many calls of a trace share. */
interface SharedValues {
  /** Short op name, spelt as the span had it. */
  readonly op: string
  readonly status: string
  readonly threadId: string | null
  /** As stated in the attributes. */
  readonly kind: string | null
  readonly operation: string | null
  readonly model: string | null
}

/** The calls of a trace as read from the store, by start. Times are microseconds since 1970 UTC. */
export class TraceCalls {
  readonly ids: string[] = []
  readonly parentIds: (string | null)[] = []
  readonly names: (string | null)[] = []
  readonly startedAt: number[] = []
  readonly endedAt: (number | null)[] = []
  readonly writtenAt: number[] = []
  readonly usage: (CallUsage | undefined)[] = []
  /** Whether another call, not below this one, states the same usage. */
  readonly isElsewhere: boolean[] = []
  readonly shared: SharedValues[] = []
  /** Thread of the first call that has one. */
  threadId: string | null = null
  private readonly held: HeldBytes
  private readonly knownShared = new Map<string, SharedValues>()
  private readonly prices: PriceBook

  /** @param remedy end of the error message if there are too many calls */
  constructor(prices: PriceBook, remedy: string) {
    this.held = new HeldBytes(remedy)
    this.prices = prices
  }

  /**
   * Adds a chunk of `compileTraceCalls`. @throws DomainError InvalidRequest if the trace is too
   * large
   */
  add(columns: ColumnsOf<TraceCallRow>): void {
    for (const [row, id] of columns.id.entries()) {
      const startedAt = itemAt(columns.started_at, row)
      const name = itemAt(columns.name, row)
      const common = this.sharedValues(itemAt(columns.shared, row))
      this.ids.push(id)
      this.parentIds.push(itemAt(columns.parent_id, row))
      this.names.push(name)
      this.startedAt.push(startedAt)
      this.endedAt.push(itemAt(columns.ended_at, row))
      this.writtenAt.push(itemAt(columns.written_at, row))
      this.usage.push(callUsage(itemAt(columns.usage, row), startedAt, this.prices))
      this.isElsewhere.push(itemAt(columns.is_elsewhere, row) === 1)
      this.shared.push(common)
      this.threadId ??= common.threadId
      this.held.add(explorationLimits.traceCallBytes + 2 * id.length + (name?.length ?? 0))
    }
  }

  /** The name of the model of a call: that of its usage, else that of its attributes. */
  modelOf(call: number): string | null {
    return this.usage[call]?.model ?? itemAt(this.shared, call).model
  }

  private sharedValues(text: string): SharedValues {
    const known = this.knownShared.get(text)
    if (known !== undefined) return known
    const [op = null, status = null, threadId = null, ...stated] = textsIn(text)
    if (op === null || status === null) throw new TypeError('The op or the status of a call is missing')
    const [spanName = null, model = null, operation = null, ...kinds] = stated.reverse()
    const kind = kinds.findLast((each) => each !== null) ?? null
    const name = opShortName(op)
    const whole = spanName !== null && opNameOf(spanName) === name ? spanName : name
    const values = { op: whole, status, threadId, kind, operation, model }
    this.held.add(explorationLimits.traceCallBytes + 3 * text.length)
    this.knownShared.set(text, values)
    return values
  }
}

/** The texts of a JSON list. */
function textsIn(json: string): (string | null)[] {
  const values: unknown = JSON.parse(json)
  if (!Array.isArray(values)) throw new TypeError('The values of a call are not a list')
  return values.map((value: unknown) => (value === null ? null : String(value)))
}
