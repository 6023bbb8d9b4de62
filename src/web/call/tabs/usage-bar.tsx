import type { Skeleton } from '../../trace/skeleton.ts'
import css from './usage-bar.module.css'

/** Tokens of a call by what they cost; NaN for a cost that is not known. */
export interface Usage {
  readonly cached: number
  readonly fresh: number
  readonly out: number
  readonly cost: number
  /** Other calls state it, too, and totals count it there. */
  readonly isRepeated: boolean
}

/** Tokens of a call itself; undefined if none were sent. */
export function usageOf(skeleton: Skeleton, row: number): Usage | undefined {
  const { tokensIn, tokensOut, tokensCached, cost, usageRepeated } = skeleton
  const input = tokensIn(row)
  const out = tokensOut(row)
  if (Number.isNaN(input) && Number.isNaN(out)) return undefined
  const cached = tokensCached(row) || 0
  return {
    cached,
    fresh: Math.max(0, (input || 0) - cached),
    out: out || 0,
    cost: cost(row),
    isRepeated: usageRepeated(row) === 1,
  }
}

/** Cached, new and output tokens beside each other. */
export function UsageBar({ usage: { cached, fresh, out } }: { usage: Usage }) {
  const total = cached + fresh + out || 1
  return (
    <span class={css.bar} aria-hidden>
      <span class={css.cached} style={{ width: `${(cached / total) * 100}%` }} />
      <span class={css.fresh} style={{ width: `${(fresh / total) * 100}%` }} />
      <span class={css.out} style={{ width: `${(out / total) * 100}%` }} />
    </span>
  )
}
