import { X } from 'lucide'
import type { Comparison } from '../../domains/evaluations/index.ts'
import { IconButton } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { tracePath } from '../state/paths.ts'
import { comparisonText } from '../text/comparison.ts'
import { comparisonUrl, type LetteredRun, refName } from './comparison-data.ts'
import { AddRun } from './dialogs.tsx'
import css from './run-chips.module.css'
import { RunMark, runLetter } from './run-mark.tsx'

/** Puts a run into the first free place. */
export function addRun(id: string): void {
  const { runs } = comparisonUrl.values.value
  const free = runs.indexOf('')
  comparisonUrl.commit({ runs: free < 0 ? [...runs, id] : runs.map((each, at) => (at === free ? id : each)) })
}

/** Frees the place of a run; the others keep their letters. */
function removeRun(id: string): void {
  const { runs, base } = comparisonUrl.values.value
  const next = runs.map((each) => (each === id ? '' : each))
  const last = next.findLastIndex((each) => each !== '')
  comparisonUrl.commit({ runs: next.slice(0, last + 1), base: base === id ? '' : base })
}

/** What a run is called: its model. */
export const nameOf = ({ display_name, model_ref, evaluation_call_id }: Comparison['runs'][number]): string =>
  refName(model_ref) || display_name || evaluation_call_id

interface RunChipsProps {
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly comparison: Comparison | undefined
  readonly projectId: string
}

/** The compared runs with their marks, and a button for another. */
export const RunChips = ({ runs, baseline, comparison, projectId }: RunChipsProps) => (
  <ul class={css.chips} aria-label={comparisonText.title}>
    {runs.map(({ id, place }) => {
      const run = comparison?.runs.find(({ evaluation_call_id }) => evaluation_call_id === id)
      return (
        <li key={id} class={css.chip}>
          <RunMark place={place} letter />
          <a class="cut" href={tracePath(projectId, run?.trace_id ?? id)}>
            <bdi>{run ? nameOf(run) : id}</bdi>
          </a>
          {run?.display_name && run.display_name !== nameOf(run) && <bdi class={css.what}>{run.display_name}</bdi>}
          {run !== undefined && run.failed_trial_count > 0 && (
            <span class={css.failed}>{comparisonText.failed(run.failed_trial_count)}</span>
          )}
          {id === baseline && <Badge>{comparisonText.baseline}</Badge>}
          {id !== baseline && (
            <IconButton
              of={X}
              size="compact"
              iconSize={14}
              label={comparisonText.remove(runLetter(place))}
              onClick={() => removeRun(id)}
            />
          )}
        </li>
      )
    })}
    <li>
      <AddRun projectId={projectId} taken={runs.map(({ id }) => id)} onAdd={addRun} />
    </li>
  </ul>
)
