import { classNames } from '../../components/display/class-names.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { type ListedRun, type RunRow, valueText } from '../../evaluation/runs.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCost } from '../../format/number.ts'
import { tracePath } from '../../state/paths.ts'
import { evaluationText } from '../../text/evaluation/evaluation.ts'
import css from './run-page.module.css'

const scorersShown = 3

/** Heads of the columns of a run's rows. */
export const Head = ({ run }: { run: ListedRun }) => (
  <div class={classNames(css.row, css.head)} style={columnsOf(run)} aria-hidden="true">
    <span />
    <span>{evaluationText.input}</span>
    <span>{evaluationText.output}</span>
    {run.scorers.slice(0, scorersShown).map(({ name }) => (
      <span key={name} class={css.extra} data-tip={name}>
        {name}
      </span>
    ))}
    <span class={classNames(css.number, css.extra)}>{evaluationText.time}</span>
    <span class={css.number}>{evaluationText.cost}</span>
  </div>
)

const columnsOf = (run: ListedRun) => ({ '--scorers': Math.max(1, Math.min(scorersShown, run.scorers.length)) })

interface RowProps {
  readonly projectId: string
  readonly run: ListedRun
  readonly row: RunRow
  readonly isFailed: boolean
}

/** A row of a run, which leads to its trace. */
export function Row({ projectId, run, row, isFailed }: RowProps) {
  return (
    <a class={css.row} style={columnsOf(run)} href={tracePath(projectId, run.evaluation_call_id, row.trialId)}>
      <StatusIcon status={isFailed ? 'error' : row.hasEnded ? 'success' : 'running'} inList />
      <span dir="auto">{firstText(row.input)}</span>
      <span class={isFailed ? css.error : css.grey} dir="auto">
        {isFailed ? (row.error ?? evaluationText.noOutput) : firstText(row.output)}
      </span>
      {run.scorers.slice(0, scorersShown).map(({ name }) => (
        <span key={name} class={css.extra} data-tip={name}>
          {leafText(row.scores[name])}
        </span>
      ))}
      <span class={classNames(css.number, css.extra)}>
        {row.seconds === null ? '' : formatDuration(row.seconds * 1_000)}
      </span>
      <span class={css.number}>{row.cost === null ? '' : formatCost(row.cost)}</span>
    </a>
  )
}

const textMax = 300

/** What a value says first, on one line. */
function firstText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, textMax)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const found = Object.values(value).find((each) => typeof each === 'string')
    if (typeof found === 'string') return found.slice(0, textMax)
  }
  return value == null ? '' : JSON.stringify(value).slice(0, textMax)
}

/** The first number or verdict of a score. */
function leafText(score: unknown): string {
  if (typeof score === 'boolean') return score ? '✓' : '✗'
  if (typeof score === 'number') return valueText('mean', score)
  if (typeof score !== 'object' || score === null) return '–'
  const leaf = Object.values(score).find((each) => typeof each === 'boolean' || typeof each === 'number')
  return leaf === undefined ? '–' : leafText(leaf)
}
