import { itemAt } from '../../lib/present.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { CallUsage, TraceCalls } from './trace-calls.ts'
import type { TraceTree } from './trace-tree.ts'

/** Figures of each call with its descendants. */
export interface TraceTotals {
  readonly descendantCount: Int32Array
  readonly tokens: Float64Array
  /** NaN if none of it has a price. */
  readonly cost: Float64Array
  /** Failed descendants. */
  readonly errorsInside: Int32Array
  /** 1 if the call states usage that other calls state too, so that it does not count. */
  readonly usageRepeated: Uint8Array
}

/** Sums up a trace. What a call states counts unless a descendant states usage. */
export async function sumUp(calls: TraceCalls, { parent, order }: TraceTree): Promise<TraceTotals> {
  const slice = new TimeSlice()
  const { length } = order
  const descendantCount = new Int32Array(length)
  const tokens = new Float64Array(length)
  const cost = new Float64Array(length).fill(Number.NaN)
  const errorsInside = new Int32Array(length)
  const usageBelow = new Uint8Array(length)
  const usageRepeated = new Uint8Array(length)
  // Backwards, every call comes after its descendants.
  for (let place = length - 1; place >= 0; place--) {
    const call = itemAt(order, place)
    const own = calls.usage[call]
    const isRepeated = usageBelow[call] === 1 || itemAt(calls.isElsewhere, call)
    if (own !== undefined && !isRepeated) {
      tokens[call] = itemAt(tokens, call) + own.tokens
      cost[call] = addCost(itemAt(cost, call), own.cost ?? Number.NaN)
    }
    if (isRepeated && statesUsage(own)) usageRepeated[call] = 1
    if (slice.expired) await slice.yield()
    const above = itemAt(parent, call)
    if (above === -1) continue
    descendantCount[above] = itemAt(descendantCount, above) + itemAt(descendantCount, call) + 1
    if (usageBelow[call] === 1 || statesUsage(own)) usageBelow[above] = 1
    tokens[above] = itemAt(tokens, above) + itemAt(tokens, call)
    cost[above] = addCost(itemAt(cost, above), itemAt(cost, call))
    errorsInside[above] =
      itemAt(errorsInside, above) + itemAt(errorsInside, call) + (itemAt(calls.shared, call).status === 'error' ? 1 : 0)
  }
  return { descendantCount, tokens, cost, errorsInside, usageRepeated }
}

/** Zeros state nothing. */
const statesUsage = (usage: CallUsage | undefined): boolean =>
  usage !== undefined && usage.tokens + usage.tokensIn + usage.tokensOut + (usage.cost ?? 0) > 0

/** Adds costs of which either may be unknown (NaN). */
export const addCost = (sum: number, more: number): number =>
  Number.isNaN(sum) ? more : Number.isNaN(more) ? sum : sum + more
