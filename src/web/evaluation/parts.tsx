import { CirclePause } from 'lucide'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { evaluationText } from '../text/evaluation/evaluation.ts'
import css from './parts.module.css'
import { isWhole, type ListedRun, type ListedScore, type RunState, valueText } from './runs.ts'

const icons = {
  running: 'running',
  done: 'success',
  interrupted: 'warning',
  at_limit: 'warning',
  failed: 'error',
  cancelled: 'cancelled',
} as const satisfies Readonly<Record<Exclude<RunState, 'paused'>, string>>

/** State of a run as icon and word. */
export const StateMark = ({ state, isPausing = false }: { state: RunState; isPausing?: boolean }) => (
  <span class={classNames(css.state, css[state])}>
    {state === 'paused' ? <Icon of={CirclePause} size={16} /> : <StatusIcon status={icons[state]} inList hidden />}{' '}
    {isPausing ? evaluationText.pausing : evaluationText.states[state]}
  </span>
)

/** The interval of a score on the axis of its column. */
export function ScoreAxis({
  run,
  score,
  range,
}: {
  /** The run it is of, if it may be incomplete. */
  run?: ListedRun
  score: Pick<ListedScore, 'value' | 'low' | 'high'>
  range: readonly [number, number]
}) {
  const [from, to] = range
  const at = (value: number): number => 2 + (80 * (value - from)) / (to - from || 1)
  const [low, high] = [at(score.low ?? score.value), at(score.high ?? score.value)]
  return (
    <svg class={classNames(css.axis, run && !isWhole(run) && css.partial)} width="84" height="16" aria-hidden="true">
      <line class={css.base} x1="0" x2="84" y1="8" y2="8" />
      <path class={css.span} d={`M${low} 8H${high}M${low} 5v6M${high} 5v6`} />
      <circle class={css.disc} cx={at(score.value)} cy="8" r="2.7" />
    </svg>
  )
}

/** What hovering a score says. */
export const intervalText = ({ kind, value, low, high, scored_rows: n, unscored_rows: missing }: ListedScore): string =>
  evaluationText.interval(valueText(kind, low ?? value), valueText(kind, high ?? value), n, missing)

/** Rows of a run as a bar: scored, failed, running, waiting. */
export function ProgressBar({ run, isTall = false }: { run: ListedRun; isTall?: boolean }) {
  const running = run.rows_begun - run.rows_ended
  const total = run.rows_total ?? run.rows_begun
  const parts = [
    ['scored', run.rows_scored],
    ['failed', run.rows_failed],
    ['running', run.state === 'running' ? running : 0],
  ] as const
  return (
    <span class={classNames(css.bar, isTall && css.tall)} aria-hidden="true">
      {parts.map(
        ([part, count]) =>
          count > 0 && (
            <span key={part} class={css[part]} style={{ width: `${(100 * count) / Math.max(1, total)}%` }} />
          ),
      )}
    </span>
  )
}
