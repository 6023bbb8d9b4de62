import { post } from '../api/client.ts'
import type { FilterNode } from '../filter/expression.ts'
import { formatCountUpTo } from '../format/number.ts'
import { scopeOf } from './calls-request.ts'

/** Counting stops here: more than that is no number that anybody compares. */
const countMax = 10_000

/** How many calls match, up to 10,001. */
export async function countCalls(
  scope: { projectId: string; rootsOnly: boolean; filter: FilterNode | undefined },
  signal: AbortSignal,
): Promise<number> {
  const body = { ...scopeOf(scope), limit: countMax + 1 }
  return (await post<{ count: number }>('/calls/query_stats', body, { signal })).count
}

/** `2,898`, or `10,000+`. */
export const countWords = (count: number): string => formatCountUpTo(count, countMax)
