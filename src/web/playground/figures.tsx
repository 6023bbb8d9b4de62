import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount } from '../format/number.ts'
import { playgroundText } from '../text/playground.ts'
import css from './figures.module.css'
import type { Run } from './run.ts'

/** How fast a run was, its tokens and its cost. */
export function Figures({ run, cost, attempt }: { run: Run | undefined; cost: number | undefined; attempt: number }) {
  const { firstTokenMs, durationMs, tokensIn, tokensOut } = run ?? {}
  const spoken =
    tokensOut !== undefined && durationMs !== undefined && firstTokenMs !== undefined && durationMs > firstTokenMs
      ? tokensOut / ((durationMs - firstTokenMs) / 1000)
      : undefined
  const figures: readonly (readonly [string, string | undefined])[] = [
    [playgroundText.firstToken, firstTokenMs === undefined ? undefined : formatDuration(firstTokenMs)],
    [playgroundText.time, durationMs === undefined ? undefined : formatDuration(durationMs)],
    [
      playgroundText.tokens,
      tokensIn === undefined ? undefined : `${formatCount(tokensIn)} + ${formatCount(tokensOut ?? 0)}`,
    ],
    [playgroundText.cost, cost === undefined ? undefined : formatCost(cost)],
    attempt > 1
      ? [playgroundText.attempt, String(attempt)]
      : [
          playgroundText.speed,
          spoken === undefined ? undefined : playgroundText.tokensPerSecond(formatCount(Math.round(spoken))),
        ],
  ]
  return (
    <dl class={css.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
