import type { ComponentChildren } from 'preact'
import { intervalText, ProgressBar, ScoreAxis } from '../../evaluation/parts.tsx'
import { type ListedRun, rangeOf, scoreName, valueText } from '../../evaluation/runs.ts'
import { formatCost } from '../../format/number.ts'
import { formatMoment } from '../../format/time.ts'
import { scorerPath } from '../../state/judging-paths.ts'
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

/** What a run is made of. */
export function About({ projectId, run }: { projectId: string; run: ListedRun }) {
  const version = (each: { name: string; version: number | null } | null): string =>
    each === null ? '–' : each.version === null ? each.name : `${each.name} v${each.version}`
  const numberOf = (each: { version: number | null }) => (each.version === null ? undefined : `v${each.version}`)
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [evaluationText.run, run.evaluation_call_id],
    [evaluationText.started, formatMoment(run.started_at)],
    [evaluationText.evaluation, version(run.evaluation)],
    [evaluationText.prompt, version(run.prompt)],
    [evaluationText.dataset, version(run.dataset)],
    [
      evaluationText.scorers,
      run.scorers.map((scorer, at) => (
        <>
          {at > 0 && ', '}
          <a key={scorer.name} href={scorerPath(projectId, scorer.name, numberOf(scorer))}>
            {version(scorer)}
          </a>
        </>
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
