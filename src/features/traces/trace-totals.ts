import { TimeSlice } from '../../platform/event-loop.ts'
import type { TraceCalls } from './trace-calls.ts'
import type { TraceTree } from './trace-tree.ts'

/** Figures of each call with its descendants. */
export interface TraceTotals {
  readonly descendantCount: Int32Array
  readonly tokens: Float64Array
  /** NaN if none of it has a price. */
  readonly cost: Float64Array
  /** Failed descendants. */
  readonly errorsInside: Int32Array
}

/**
 * Sums up a trace. Some clients add the usage of a call to that of its parent; usage of a call that
 * equals the sum of its children's usage is therefore not counted again.
 */
export async function sumUp(calls: TraceCalls, { parent, order }: TraceTree): Promise<TraceTotals> {
  const slice = new TimeSlice()
  const { length } = order
  const descendantCount = new Int32Array(length)
  const tokensIn = new Float64Array(length)
  const tokensOut = new Float64Array(length)
  const tokens = new Float64Array(length)
  const cost = new Float64Array(length).fill(Number.NaN)
  const errorsInside = new Int32Array(length)
  // Backwards, every call comes after its descendants.
  for (let place = length - 1; place >= 0; place--) {
    const call = order[place]!
    const own = calls.usage[call]
    const isSum =
      own !== undefined &&
      descendantCount[call]! > 0 &&
      own.tokensIn + own.tokensOut > 0 &&
      own.tokensIn === tokensIn[call] &&
      own.tokensOut === tokensOut[call]
    if (own !== undefined && !isSum) {
      tokensIn[call]! += own.tokensIn
      tokensOut[call]! += own.tokensOut
      tokens[call]! += own.tokens
      cost[call] = addCost(cost[call]!, own.cost ?? Number.NaN)
    }
    if (slice.expired) await slice.yield()
    const above = parent[call]!
    if (above === -1) continue
    descendantCount[above]! += descendantCount[call]! + 1
    tokensIn[above]! += tokensIn[call]!
    tokensOut[above]! += tokensOut[call]!
    tokens[above]! += tokens[call]!
    cost[above] = addCost(cost[above]!, cost[call]!)
    errorsInside[above]! += errorsInside[call]! + (calls.shared[call]!.status === 'error' ? 1 : 0)
  }
  return { descendantCount, tokens, cost, errorsInside }
}

/** Adds costs of which either may be unknown (NaN). */
export const addCost = (sum: number, more: number): number =>
  Number.isNaN(sum) ? more : Number.isNaN(more) ? sum : sum + more
