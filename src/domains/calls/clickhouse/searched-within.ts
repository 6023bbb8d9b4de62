import { type CallsPlan, restrictToWindow, type TimeWindow } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all } from '../../../query/expression.ts'
import type { CallsIn } from './find-calls.ts'
import type { Search } from './search.ts'

/** The same for calls that started within a time. */
export const startedWithin = (plan: CallsPlan, window: TimeWindow): CallsPlan => ({
  ...plan,
  where: all([plan.where, { kind: 'within', field: columnField('started_at', 'time'), ...window }]),
})

/** Like `Search.narrowed`, where only the calls of some time matter. */
export async function searchedWithin(search: Search, calls: CallsIn, window: TimeWindow): Promise<CallsIn> {
  if (window.after === undefined && window.through === undefined) return await search.narrowed(calls)
  const { plan, relations } = calls
  const inTime = {
    plan: startedWithin(plan, window),
    relations: { ...relations, calls: restrictToWindow(relations.calls, window) },
  }
  const found = await search.narrowed(inTime)
  return found === inTime ? calls : found
}
