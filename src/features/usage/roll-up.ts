import type { HeldBytes } from '../../foundation/held-bytes.ts'
import { limits } from '../../limits.ts'
import type { AggregatedUsage } from '../../model/usage.ts'
import { TimeSlice } from '../../platform/event-loop.ts'
import { addUsage, type UsageByModel } from './own-usage.ts'

/** A call as far as usage goes. */
export interface UsageCall {
  readonly id: string
  readonly parentId: string | null
  /** Its own; it becomes that of all calls below it too. */
  readonly usage: Map<string, AggregatedUsage>
  readonly isRunning: boolean
}

/**
 * For each call its own usage plus that of all calls below it, as far as they are among `calls`. Others have their turns in between.
 *
 * @param held counts models that a call has from those below it: in a deep trace of many models they are far more than there were
 * @throws DomainError InvalidRequest as `held` says
 */
export async function rollUp(calls: readonly UsageCall[], held: HeldBytes): Promise<Map<string, UsageByModel>> {
  const slice = new TimeSlice()
  const childrenOf = await byParent(calls, slice)
  const totals = new Map<string, UsageByModel>()
  for (const call of childrenFirst(await rootsFirst(calls, slice), childrenOf)) {
    for (const child of childrenOf.get(call.id) ?? []) {
      const before = call.usage.size
      addUsage(call.usage, totals.get(child.id))
      held.add((call.usage.size - before) * limits.usageMentionBytes)
    }
    totals.set(call.id, call.usage)
    if (slice.expired) await slice.yield()
  }
  return totals
}

/** The calls of these ids and all calls below them. */
export async function subtrees(calls: readonly UsageCall[], ids: readonly string[]): Promise<UsageCall[]> {
  const slice = new TimeSlice()
  const kept = new Set(ids)
  const childrenOf = await byParent(calls, slice)
  for (const id of kept) {
    // A set that grows while it is walked visits what is added.
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

/** Calls whose parent is not among them, then all, so that each is reached: also those that are each other's parents. */
async function rootsFirst(calls: readonly UsageCall[], slice: TimeSlice): Promise<UsageCall[]> {
  const ids = new Set<string>()
  for (const { id } of calls) {
    ids.add(id)
    if (slice.expired) await slice.yield()
  }
  return [...calls.filter(({ parentId }) => parentId === null || !ids.has(parentId)), ...calls]
}

/** Every call after the calls below it. Calls that are each other's parents come in some order, each once. */
function* childrenFirst(
  starts: readonly UsageCall[],
  childrenOf: ReadonlyMap<string, readonly UsageCall[]>,
): Generator<UsageCall> {
  const seen = new Set<string>()
  for (const start of starts) {
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
