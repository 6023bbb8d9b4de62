import { isJsonObject } from '../../model/json-value.ts'
import type { AggregatedUsage } from '../../model/usage.ts'
import { countTokens } from '../costs/count-tokens.ts'
import type { PriceBook } from '../costs/price-book.ts'

/** A call as far as usage goes. */
export interface UsageCall {
  readonly id: string
  readonly parentId: string | null
  /** `summary.usage` as JSON text. */
  readonly usage: string | null
  /** Microseconds since 1970 UTC. */
  readonly startedAt: number
  readonly isRunning: boolean
}

export type UsageByModel = ReadonlyMap<string, AggregatedUsage>

/** For each call its own usage plus that of all calls below it, as far as they are among `calls`. */
export function rollUp(calls: readonly UsageCall[], prices: PriceBook | undefined): Map<string, UsageByModel> {
  const childrenOf = new Map<string, UsageCall[]>()
  const ids = new Set(calls.map(({ id }) => id))
  for (const call of calls) {
    if (call.parentId === null || !ids.has(call.parentId)) continue
    const siblings = childrenOf.get(call.parentId)
    if (siblings) siblings.push(call)
    else childrenOf.set(call.parentId, [call])
  }
  const totals = new Map<string, UsageByModel>()
  for (const call of childrenFirst(calls, ids, childrenOf)) {
    const sum = ownUsage(call, prices)
    for (const child of childrenOf.get(call.id) ?? []) addAll(sum, totals.get(child.id))
    totals.set(call.id, sum)
  }
  return totals
}

/** Every call after the calls below it. Calls that are each other's parents come in some order, each once. */
function* childrenFirst(
  calls: readonly UsageCall[],
  ids: ReadonlySet<string>,
  childrenOf: ReadonlyMap<string, readonly UsageCall[]>,
): Generator<UsageCall> {
  const seen = new Set<string>()
  const isRoot = ({ parentId }: UsageCall) => parentId === null || !ids.has(parentId)
  for (const start of [...calls.filter(isRoot), ...calls]) {
    // Not by recursion: traces may be deeper than the stack.
    const stack = [{ call: start, isDone: false }]
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      if (top.isDone) {
        yield top.call
        continue
      }
      if (seen.has(top.call.id)) continue
      seen.add(top.call.id)
      stack.push({ call: top.call, isDone: true })
      for (const child of childrenOf.get(top.call.id) ?? []) stack.push({ call: child, isDone: false })
    }
  }
}

function ownUsage({ usage, startedAt }: UsageCall, prices: PriceBook | undefined): Map<string, AggregatedUsage> {
  const parsed: unknown = usage === null ? null : JSON.parse(usage)
  const sum = new Map<string, AggregatedUsage>()
  if (!isJsonObject(parsed)) return sum
  for (const [model, figures] of Object.entries(parsed)) {
    if (!isJsonObject(figures)) continue
    const tokens = countTokens(figures as Record<string, unknown>)
    const { prompt, completion, requests, cacheRead, cacheCreation } = tokens
    const total = tokens.total || prompt + completion
    if (requests + total + prompt + completion + cacheRead + cacheCreation === 0) continue
    const cost = prices?.entryOf(model, figures, startedAt)
    const costOf = (figure: number | undefined) => (prices === undefined ? null : (figure ?? 0))
    sum.set(model, {
      requests,
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheCreation,
      prompt_tokens_total_cost: costOf(cost?.prompt_tokens_total_cost),
      completion_tokens_total_cost: costOf(cost?.completion_tokens_total_cost),
      cache_read_input_tokens_total_cost: costOf(cost?.cache_read_input_tokens_total_cost),
      cache_creation_input_tokens_total_cost: costOf(cost?.cache_creation_input_tokens_total_cost),
    })
  }
  return sum
}

function addAll(sum: Map<string, AggregatedUsage>, more: UsageByModel | undefined): void {
  for (const [model, figures] of more ?? []) {
    const known = sum.get(model)
    sum.set(model, known === undefined ? figures : added(known, figures))
  }
}

function added(a: AggregatedUsage, b: AggregatedUsage): AggregatedUsage {
  const figures = Object.entries(a).map(([name, figure]) => {
    const other = b[name as keyof AggregatedUsage]
    return [name, figure === null || other === null ? null : figure + other]
  })
  return Object.fromEntries(figures) as AggregatedUsage
}
