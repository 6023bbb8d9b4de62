import { opShortName } from '../../../formats/dialect/ref.ts'
import type { Statistics } from '../tools/call-statistics.ts'
import { costText, countText, durationText, oneLine } from './number-text.ts'

/** The members of a line of `statisticsLine`, in its order. */
export const statisticsHeader = 'calls, errors, average and p95 duration, tokens in+out (cached), cost'

/** Statistics on one line; what does not apply is left out. */
export function statisticsLine(statistics: Statistics): string {
  const { calls, errors, averageMs, p95Ms, inputTokens, outputTokens, cachedTokens, cost } = statistics
  const cached = cachedTokens > 0 ? ` (${countText(cachedTokens)})` : ''
  return [
    `${countText(calls)} calls`,
    ...(errors > 0 ? [`${countText(errors)} errors`] : []),
    ...(averageMs === undefined ? [] : [`avg ${durationText(averageMs)}`]),
    ...(p95Ms === undefined ? [] : [`p95 ${durationText(p95Ms)}`]),
    ...(inputTokens + outputTokens === 0
      ? []
      : [`${countText(inputTokens)}+${countText(outputTokens)}${cached} tokens`]),
    ...(cost === undefined ? [] : [costText(cost)]),
  ].join('  ')
}

/** The name of a group on a line. Names of ops are shortened. */
export const groupName = ({ group, isOther }: Statistics): string =>
  isOther ? '(all others)' : oneLine(opShortName(group ?? '(none)'), 80)

/** The sum of statistics, without those that cannot be added. */
export function sumOf(all: readonly Statistics[]): Statistics {
  const sum: Statistics = {
    ...{ bucket: '', group: undefined, isOther: false, calls: 0, errors: 0, averageMs: undefined, p95Ms: undefined },
    ...{ inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: undefined },
  }
  for (const { calls, errors, inputTokens, outputTokens, cachedTokens, cost } of all) {
    sum.calls += calls
    sum.errors += errors
    sum.inputTokens += inputTokens
    sum.outputTokens += outputTokens
    sum.cachedTokens += cachedTokens
    if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost
  }
  return sum
}
