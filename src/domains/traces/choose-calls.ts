import type { TraceTree } from './trace-tree.ts'

/** Which calls of a trace are wanted. */
export interface Choice {
  /** Number of the call below which they are; undefined for the whole trace. */
  readonly below: number | undefined
  readonly depth: number | undefined
  readonly limit: number
  /** How many of them failed calls and their ancestors may take where not all fit. */
  readonly errorsMax: number
  /** Whether a call is wanted, apart from the ancestors of those that are. */
  readonly isWanted: ((call: number) => boolean) | undefined
  readonly isError: (call: number) => boolean
}

export interface Chosen {
  /** Depth first. */
  readonly calls: Int32Array
  /** Whether neither the limit nor the depth has left out any. */
  readonly isComplete: boolean
}

/**
 * Chooses calls. Where not all fit: failed calls with their ancestors up to `errorsMax`, then level
 * by level.
 */
export function chooseCalls(tree: TraceTree, choice: Choice): Chosen {
  const { below, depth, limit, isWanted } = choice
  const top = below === undefined ? 0 : tree.depth[below]! + 1
  const scope = below === undefined ? tree.order : subtree(tree, below)
  const wanted = isWanted === undefined ? scope : withAncestors(tree, scope, isWanted, below)
  const calls = depth === undefined ? wanted : wanted.filter((call) => tree.depth[call]! - top < depth)
  if (calls.length <= limit) return { calls, isComplete: calls.length === wanted.length }
  const chosen = new Set<number>()
  const byLevel = calls.toSorted((a, b) => tree.depth[a]! - tree.depth[b]! || a - b)
  for (const call of byLevel) {
    if (chosen.size >= choice.errorsMax) break
    if (choice.isError(call)) addWithAncestors(tree, call, below, chosen, choice.errorsMax)
  }
  for (const call of byLevel) {
    if (chosen.size >= limit) break
    chosen.add(call)
  }
  return { calls: calls.filter((call) => chosen.has(call)), isComplete: false }
}

/** The descendants of a call, which follow it in the order. */
function subtree({ order, depth }: TraceTree, call: number): Int32Array {
  const from = order.indexOf(call) + 1
  let to = from
  while (to < order.length && depth[order[to]!]! > depth[call]!) to++
  return order.subarray(from, to)
}

function withAncestors(
  tree: TraceTree,
  calls: Int32Array,
  isWanted: (call: number) => boolean,
  below: number | undefined,
): Int32Array {
  const kept = new Set<number>()
  for (const call of calls) if (isWanted(call)) addWithAncestors(tree, call, below, kept, Number.POSITIVE_INFINITY)
  return calls.filter((call) => kept.has(call))
}

/** Adds a call and its ancestors, unless there is no room for all of them. */
function addWithAncestors(
  { parent }: TraceTree,
  call: number,
  below: number | undefined,
  chosen: Set<number>,
  max: number,
): void {
  const path: number[] = []
  for (let at = call; at !== -1 && at !== below && !chosen.has(at); at = parent[at]!) path.push(at)
  if (chosen.size + path.length > max) return
  for (const at of path) chosen.add(at)
}
