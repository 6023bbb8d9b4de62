import type { ListedRun } from '../evaluation/runs.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount } from '../format/number.ts'
import { formatWhen } from '../format/time.ts'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import css from './start-dialog.module.css'
import { earlierRunOf } from './use-start.ts'

interface EstimateProps {
  readonly lines: readonly { readonly key: number; readonly label: string; readonly model: string }[]
  /** Earlier runs of the project, the newest first. */
  readonly runs: readonly ListedRun[]
  readonly size: {
    readonly rows: number
    readonly trials: number
    readonly parallel: number
    /** In dollars. */
    readonly limit: number | undefined
  }
}

/** What each run will take: calls, time and cost, from the last run of its model. */
export function Estimate({ lines, runs, size: { rows, trials, parallel, limit } }: EstimateProps) {
  return (
    <table class={css.estimate}>
      <thead>
        <tr>
          <th scope="col">{words.estimate}</th>
          <th scope="col">{words.calls}</th>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.cost}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, label, model }) => {
          const run = earlierRunOf(runs, model)
          const costOfRow = run === undefined ? 0 : ((run.cost ?? 0) / (run.rows_ended * run.trials)) * trials
          const seconds = run?.latency_p50_seconds
          const cost = costOfRow * rows
          return (
            <tr key={key}>
              <th scope="row">
                <span dir="auto">{label}</span>
                <span class={css.source}>
                  {run === undefined
                    ? words.noEstimate
                    : words.from(run.evaluation.name, formatWhen(run.started_at), run.rows_ended)}
                </span>
                {limit !== undefined && cost > limit && (
                  <span class={css.warn}>{words.overLimit(Math.ceil(limit / costOfRow))}</span>
                )}
              </th>
              <td data-head={words.calls}>{formatCount(rows * trials)}</td>
              <td data-head={words.time}>
                {seconds == null ? '–' : words.about(formatDuration(((seconds * rows * trials) / parallel) * 1_000))}
              </td>
              <td data-head={words.cost}>{run === undefined ? '–' : words.about(formatCost(cost))}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
