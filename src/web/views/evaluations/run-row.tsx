import { Play } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { classNames } from '../../components/display/class-names.ts'
import lists from '../../components/list/list.module.css'
import { intervalText, ProgressBar, ScoreAxis, StateMark } from '../../evaluation/parts.tsx'
import {
  goOn,
  type ListedRun,
  modelOf,
  promptOf,
  rangeOf,
  rowsLeft,
  scoreName,
  valueText,
} from '../../evaluation/runs.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCost } from '../../format/number.ts'
import { formatFullTime, formatWhen } from '../../format/time.ts'
import { runPath } from '../../state/paths.ts'
import { canWrite } from '../../state/session.ts'
import { evaluationText } from '../../text/evaluation/evaluation.ts'
import css from './run-list.module.css'

/** Heads of the columns of the list, with the range of each axis. */
export function Head({ runs, columns }: { runs: readonly ListedRun[]; columns: readonly string[] }) {
  return (
    <div class={classNames(lists.row, lists.head, css.row, css.head)} aria-hidden="true">
      <span />
      <span>{evaluationText.state}</span>
      <span>{evaluationText.model}</span>
      <span>{evaluationText.data}</span>
      <span>{evaluationText.rowsScored}</span>
      {columns.map((name) => {
        const [low, high] = rangeOf(runs, name)
        const kind = runs.flatMap((run) => run.scores).find((each) => each.score === name)?.kind ?? 'mean'
        return (
          <span key={name}>
            {scoreName(name)}, {valueText(kind, low).replace('%', '')}–{valueText(kind, high)}
          </span>
        )
      })}
      <span class={lists.number}>{evaluationText.cost}</span>
      <span class={lists.number}>{evaluationText.p50}</span>
      <span class={lists.number}>{evaluationText.started}</span>
    </div>
  )
}

const dataTip = ({ rows_chosen: chosen }: ListedRun, name: string): string =>
  chosen === null ? name : evaluationText.chosenTip(name, evaluationText.chosen(chosen))

interface RowProps {
  readonly projectId: string
  readonly run: ListedRun
  readonly all: readonly ListedRun[]
  readonly columns: readonly string[]
  readonly isCurrent: boolean
  readonly isPicked: boolean
  readonly onPick: () => void
  readonly onChanged: () => void
}

/** A run in the list. */
export function Row({ projectId, run, all, columns, isCurrent, isPicked, onPick, onChanged }: RowProps) {
  const { state, rows_scored, rows_failed, rows_total, dataset } = run
  const isPart = ['failed', 'cancelled', 'interrupted', 'paused'].includes(state)
  return (
    <div class={classNames(lists.row, css.row, isPicked && css.picked, isCurrent && css.current)}>
      <Checkbox
        checked={isPicked}
        onChange={onPick}
        label={evaluationText.select(`${modelOf(run)} ${promptOf(run)}`)}
      />
      <span class={css.stateCell}>
        <StateMark state={state} isPausing={run.is_pausing} />
      </span>
      <a class={css.name} href={runPath(projectId, run.evaluation_call_id)} dir="auto">
        <b>{modelOf(run)}</b> {promptOf(run)}
      </a>
      <span class={css.data} data-tip={dataset === null ? undefined : dataTip(run, dataset.name)}>
        {dataset?.version == null ? '–' : `v${dataset.version}`}{' '}
        {run.rows_chosen !== null && evaluationText.chosen(run.rows_chosen)}
      </span>
      <span class={css.scored}>
        {evaluationText.of(rows_scored, rows_total)}{' '}
        {rows_failed > 0 ? (
          <span class={css.error}>{evaluationText.failed(rows_failed)}</span>
        ) : (
          rows_total !== null && rows_scored < rows_total && <ProgressBar run={run} />
        )}
      </span>
      {isPart ? (
        <span class={css.reason}>
          <Reason projectId={projectId} run={run} onChanged={onChanged} />
        </span>
      ) : (
        columns.map((name) => <ScoreCell key={name} run={run} name={name} all={all} />)
      )}
      <span class={classNames(lists.number, css.costCell)}>{run.cost === null ? '–' : formatCost(run.cost)}</span>
      <span class={classNames(lists.number, css.extra)}>
        {run.latency_p50_seconds === null ? '–' : formatDuration(run.latency_p50_seconds * 1_000)}
      </span>
      <span class={classNames(lists.number, css.when)} data-tip={formatFullTime(run.started_at)}>
        {formatWhen(run.started_at)}
      </span>
    </div>
  )
}

function Reason({ projectId, run, onChanged }: { projectId: string; run: ListedRun; onChanged: () => void }) {
  const why =
    run.state === 'failed'
      ? (run.error ?? '')
      : run.state === 'cancelled'
        ? evaluationText.cancelled(run.rows_ended)
        : run.state === 'paused'
          ? evaluationText.paused(run.rows_ended, rowsLeft(run))
          : evaluationText.interrupted(run.rows_ended)
  const canGoOn = run.state !== 'failed' && run.state !== 'cancelled' && canWrite.value && run.is_resumable
  return (
    <>
      <span class={classNames('cut', run.state === 'failed' && css.error)} data-tip={why}>
        {why}
      </span>
      {canGoOn && (
        <Button size="compact" icon={Play} onClick={() => void goOn(projectId, run, false, onChanged)}>
          {evaluationText.resume(rowsLeft(run))}
        </Button>
      )}
    </>
  )
}

function ScoreCell({ run, name, all }: { run: ListedRun; name: string; all: readonly ListedRun[] }) {
  const score = run.scores.find((each) => each.score === name)
  if (score === undefined) return <span class={css.scoreCell}>–</span>
  const scorer = run.scorers.find((each) => name === each.name || name.startsWith(`${each.name}.`))
  const versions = all.flatMap((each) => each.scorers).filter((each) => each.name === scorer?.name)
  const first = versions.find((each) => each.version !== null)
  const usual = mostCommon(versions.flatMap((each) => each.version ?? []))
  const isOther = first !== undefined && scorer?.version != null && scorer.version !== usual
  return (
    <span class={classNames(css.scoreCell, run.state !== 'done' && css.grey)} data-tip={intervalText(score)}>
      <span class={css.figure}>{valueText(score.kind, score.value)}</span>
      <ScoreAxis run={run} score={score} range={rangeOf(all, name)} />
      {isOther && (
        <span class={css.warn} data-tip={evaluationText.otherVersion(scorer.version ?? 0)}>
          v{scorer.version}
        </span>
      )}
    </span>
  )
}

function mostCommon(versions: readonly number[]): number | undefined {
  const counts = [...Map.groupBy(versions, (each) => each)].map(([version, each]) => [version, each.length] as const)
  return counts.sort(([, a], [, b]) => b - a)[0]?.[0]
}
