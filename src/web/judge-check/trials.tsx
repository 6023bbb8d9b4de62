import { Button } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { callPath, tracePath } from '../state/paths.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'
import type { JudgedTrial } from './check-data.ts'
import css from './trials.module.css'

interface TrialsProps {
  readonly projectId: string
  readonly trials: readonly JudgedTrial[]
  readonly total: number
  readonly isReading: boolean
  readonly onMore: () => void
}

/** Trials with the labels of both sides, the reasons of the judge, and links to its calls. */
export const Trials = ({ projectId, trials, total, isReading, onMore }: TrialsProps) => (
  <>
    <ul class={css.list} aria-label={words.list}>
      {trials.map((trial) => (
        <li key={trial.predict_and_score_call_id} class={css.trial}>
          <div class={css.said}>
            <p class={css.input} dir="auto">
              {trial.input}
            </p>
            <p class={css.output} dir="auto">
              {trial.output}
            </p>
            {trial.reasons.map(({ name, text }) => (
              <p key={name} class={css.reason} dir="auto">
                <span>{name}</span> {text}
              </p>
            ))}
          </div>
          <div class={css.labels}>
            <Label title={words.people} label={trial.human_label} name={trial.human_class} />
            <Label title={words.judge} label={trial.judge_label} name={trial.judge_class} />
          </div>
          <div class={css.links}>
            <a
              href={tracePath(projectId, trial.trace_id, trial.predict_call_id ?? trial.predict_and_score_call_id)}
              aria-label={words.rowOf(trial.input)}
            >
              {words.row}
            </a>
            {trial.judge_call_id !== null && (
              <a href={callPath(projectId, trial.judge_call_id)} aria-label={words.judgeCallOf(trial.input)}>
                {words.judgeCall}
              </a>
            )}
          </div>
        </li>
      ))}
    </ul>
    {trials.length < total && (
      <p class={css.more}>
        <Button busy={isReading} onClick={onMore}>
          {words.next(total - trials.length)}
        </Button>
      </p>
    )}
  </>
)

function Label({ title, label, name }: { title: string; label: string | null; name: string | null }) {
  return (
    <span class={css.label}>
      <span>{title}</span>
      {label === null ? '–' : <Badge tone="outline">{words.asClass(label, name ?? label)}</Badge>}
    </span>
  )
}
