import type { HeldBytes } from '../../lib/concurrency.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { AggregatedUsage } from './model/usage.ts'
import { addUsage, type UsageByModel } from './own-usage.ts'

/** The parts of a call that usage roll-ups need. */
export interface UsageCall {
  readonly id: string
  readonly parentId: string | null
  /** Its own usage. */
  readonly usage: UsageByModel
  /** Another call, not below this one, states the same usage. */
  readonly isElsewhere: boolean
  /** It states usage that statistics count elsewhere, as stored. */
  readonly isRepeated: boolean
  readonly isRunning: boolean
}

/**
 * For each call, the usage to count for it and its descendants among `calls`: a call's own usage
 * counts unless a descendant states usage. Yields to other requests. See
 * docs/decisions/200-usage-counts-once.md.
 *
 * @param held accounts for models that a call inherits from descendants: in a deep trace with many
 * models they multiply
 * @throws DomainError InvalidRequest from `held`
 */
export async function rollUp(calls: readonly UsageCall[], held: HeldBytes): Promise<Map<string, UsageByModel>> {
  const slice = new TimeSlice()
  const childrenOf = await byParent(calls, slice)
  const totals = new Map<string, UsageByModel>()
  const stating = new Set<string>()
  for (const call of childrenFirst(await rootsFirst(calls, slice), childrenOf)) {
    const below = new Map<string, AggregatedUsage>()
    let isStatedBelow = false
    for (const child of childrenOf.get(call.id) ?? []) {
      const before = below.size
      addUsage(below, totals.get(child.id))
      isStatedBelow ||= stating.has(child.id)
      held.add((below.size - before) * responseLimits.usageMentionBytes)
    }
    if (isStatedBelow || statesUsage(call.usage)) stating.add(call.id)
    totals.set(call.id, isStatedBelow ? below : call.isElsewhere ? nothing : call.usage)
    if (slice.expired) await slice.yield()
  }
  return totals
}

const nothing: UsageByModel = new Map()

/** Zeros state nothing. */
function statesUsage(usage: UsageByModel): boolean {
  for (const statistics of usage.values()) {
    const { prompt_tokens, completion_tokens, total_tokens } = statistics
    if (prompt_tokens + completion_tokens + total_tokens > 0) return true
    if (statistics.cache_read_input_tokens + statistics.cache_creation_input_tokens > 0) return true
  }
  return false
}

/** The calls with these ids and all their descendants. */
export async function subtrees(calls: readonly UsageCall[], ids: readonly string[]): Promise<UsageCall[]> {
  const slice = new TimeSlice()
  const kept = new Set(ids)
  const childrenOf = await byParent(calls, slice)
  for (const id of kept) {
    // Iterating a Set visits elements added meanwhile.
    for (const child of childrenOf.get(id) ?? []) kept.add(child.id)
    if (slice.expired) await slice.yield()
  }
  return calls.filter(({ id }) => kept.has(id))
}

async function byParent(calls: readonly UsageCall[], slice: TimeSlice): Promise<Map<string, UsageCall[]>> {
  const childrenOf = new Map<string, UsageCall[]>()
  for (const call of calls) {
    if (slice.expired) await slice.yield()
    if (call.parentId === null) continue
    const siblings = childrenOf.get(call.parentId)
    if (siblings) siblings.push(call)
    else childrenOf.set(call.parentId, [call])
  }
  return childrenOf
}

/** Calls whose parent is not among them, then all others, so that cycles are visited too. */
async function rootsFirst(calls: readonly UsageCall[], slice: TimeSlice): Promise<UsageCall[]> {
  const ids = new Set<string>()
  for (const { id } of calls) {
    ids.add(id)
    if (slice.expired) await slice.yield()
  }
  return [...calls.filter(({ parentId }) => parentId === null || !ids.has(parentId)), ...calls]
}

/** Every call after its descendants. Calls in a cycle come in some order, each once. */
function* childrenFirst(
  starts: readonly UsageCall[],
  childrenOf: ReadonlyMap<string, readonly UsageCall[]>,
): Generator<UsageCall> {
  const seen = new Set<string>()
  for (const start of starts) {
    // Not recursive: traces may be deeper than the stack.
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
