import { type ComponentChildren, Fragment } from 'preact'
import { intervalText, ProgressBar, ScoreAxis } from '../../evaluation/parts.tsx'
import { type ListedRun, rangeOf, scoreName, valueText } from '../../evaluation/runs.ts'
import { formatCost } from '../../format/number.ts'
import { formatMoment } from '../../format/time.ts'
import { scorerPath } from '../../state/judging-paths.ts'
import { callPath, datasetPath, objectPath, promptPath } from '../../state/paths.ts'
import { evaluationText } from '../../text/evaluation/evaluation.ts'
import css from './run-page.module.css'

/** How far a run is, and what it has cost. */
export function Progress({ run }: { run: ListedRun }) {
  const { rows_scored, rows_failed, rows_begun, rows_ended, rows_total, cost, cost_limit } = run
  const running = run.state === 'running' ? rows_begun - rows_ended : 0
  const { parts } = evaluationText
  return (
    <section class={css.progress} aria-label={evaluationText.progress}>
      <div class={css.part}>
        <b>{evaluationText.ended(rows_ended, rows_total)}</b>
        <ProgressBar run={run} isTall />
        <span class={css.grey}>
          {parts.scored} {rows_scored} · {parts.failed} {rows_failed} · {parts.running} {running}
          {rows_total !== null && ` · ${parts.waiting} ${Math.max(0, rows_total - rows_ended - running)}`}
        </span>
      </div>
      <div class={css.price}>
        <b>{cost === null ? '–' : formatCost(cost)}</b>{' '}
        <span class={css.grey}>
          {cost_limit === null ? evaluationText.noLimit : evaluationText.ofLimit(formatCost(cost_limit))}
        </span>
        {cost_limit !== null && (
          <progress aria-label={evaluationText.cost} max={cost_limit} value={Math.min(cost ?? 0, cost_limit)} />
        )}
        {cost !== null && rows_ended > 0 && (
          <div class={css.grey}>{evaluationText.perRow(formatCost(cost / rows_ended))}</div>
        )}
      </div>
    </section>
  )
}

/** The scores of a run with their intervals. */
export function Scores({ run }: { run: ListedRun }) {
  if (run.scores.length === 0) return null
  return (
    <section class={css.scores}>
      {run.scores.map((score) => (
        <div key={score.score} class={css.part} data-tip={intervalText(score)}>
          <span class={css.grey}>
            <b class={css.scoreName}>{scoreName(score.score)}</b>{' '}
            {evaluationText.scoredOf(score.kind, score.scored_rows)}
          </span>
          <span class={css.figures}>
            <b>{valueText(score.kind, score.value)}</b>
            <ScoreAxis run={run} score={score} range={rangeOf([run], score.score)} />
          </span>
        </div>
      ))}
      {run.state === 'running' && <span class={css.grey}>{evaluationText.soFar}</span>}
    </section>
  )
}

interface NamedVersion {
  readonly name: string
  readonly version: number | null
}

/** What a run is made of; each part leads to its page. */
export function About({ projectId, run }: { projectId: string; run: ListedRun }) {
  const link = (of: NamedVersion | null, pathOf: (projectId: string, name: string, version?: string) => string) => {
    if (of === null) return '–'
    const number = of.version === null ? undefined : `v${of.version}`
    return <a href={pathOf(projectId, of.name, number)}>{number === undefined ? of.name : `${of.name} ${number}`}</a>
  }
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [evaluationText.run, <a href={callPath(projectId, run.evaluation_call_id)}>{run.evaluation_call_id}</a>],
    [evaluationText.started, formatMoment(run.started_at)],
    [evaluationText.evaluation, link(run.evaluation, objectPath)],
    [evaluationText.prompt, link(run.prompt, promptPath)],
    [evaluationText.dataset, link(run.dataset, datasetPath)],
    [
      evaluationText.scorers,
      run.scorers.map((scorer, at) => (
        <Fragment key={scorer.name}>
          {at > 0 && ', '}
          {link(scorer, scorerPath)}
        </Fragment>
      )),
    ],
    [
      evaluationText.rows,
      run.rows_chosen === null
        ? evaluationText.allRows(run.rows_total)
        : evaluationText.chosenRows(evaluationText.chosen(run.rows_chosen), run.rows_total),
    ],
    [evaluationText.trials, String(run.trials)],
  ]
  return (
    <section>
      <h2>{evaluationText.thisRun}</h2>
      <dl class={css.facts}>
        {facts.map(([label, value]) => (
          <>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}
