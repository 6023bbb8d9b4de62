import { itemAt } from '../../../lib/present.ts'
import { type CallsIn, callsWithin, fileTimes, type TimeWindow } from '../../../query/calls-plan.ts'
import { TooManyFound } from './find-calls.ts'
import type { Search } from './search.ts'

/**
 * How often a time is halved in which ClickHouse finds too many calls, and questions in all; DuckDB
 * answers the rest.
 */
const halvingsMax = 6
const questionsMax = 32

interface Part {
  readonly window: TimeWindow
  readonly halvings: number
}

/**
 * Like `Search.narrowed`, for an answer in the order of time that may have more calls than
 * ClickHouse finds at once: the calls in parts of the time, in order. ClickHouse stops as soon as
 * it has found too many, so asking again for a half costs little.
 */
export async function* narrowedInParts(search: Search, calls: CallsIn): AsyncGenerator<CallsIn> {
  const isNewestFirst = itemAt(calls.plan.sort, 0).direction === 'desc'
  const parts: Part[] = [{ window: { after: undefined, through: undefined }, halvings: 0 }]
  let questions = 0
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const { window, halvings } = part
    const within = callsWithin(calls, window)
    if (within.relations.calls.branches.length === 0) continue
    questions += 1
    if (questions > questionsMax) {
      yield search.leftHere(within)
      continue
    }
    try {
      yield await search.narrowed(within, { mayBeTooMany: true })
    } catch (error) {
      if (!(error instanceof TooManyFound)) throw error
      const middle = halvings < halvingsMax ? middleOf(within, window) : undefined
      if (middle === undefined) yield search.leftHere(within)
      else {
        const halves = [
          { ...window, through: middle },
          { ...window, after: middle },
        ]
        if (isNewestFirst) halves.reverse()
        parts.unshift(...halves.map((half) => ({ window: half, halvings: halvings + 1 })))
      }
    }
  }
}

/** A time that divides the files of a window; undefined if there is none. */
function middleOf({ relations }: CallsIn, { after, through }: TimeWindow): number | undefined {
  const times = fileTimes(relations.calls)
  if (times === undefined || times.length === 0) return undefined
  const first = times.reduce((least, [from]) => Math.min(least, from), Number.POSITIVE_INFINITY)
  const last = times.reduce((most, [, to]) => Math.max(most, to), Number.NEGATIVE_INFINITY)
  const from = Math.max(first, after ?? first)
  const to = Math.min(last, through ?? last)
  const middle = Math.floor((from + to) / 2)
  return Number.isFinite(middle) && middle >= from && middle < to ? middle : undefined
}
