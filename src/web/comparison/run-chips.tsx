import { X } from 'lucide'
import { IconButton } from '../components/controls/button.tsx'
import { Badge } from '../components/display/badge.tsx'
import { type ListedRun, modelOf, promptOf } from '../evaluation/runs.ts'
import { runPath } from '../state/paths.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { evaluationText } from '../text/evaluation/evaluation.ts'
import { comparisonUrl, type LetteredRun } from './comparison-data.ts'
import { AddRun } from './dialogs.tsx'
import css from './run-chips.module.css'
import { RunMark, runLetter } from './run-mark.tsx'

/** Puts a run into the first free place. */
export function addRun(id: string): void {
  const { runs } = comparisonUrl.values.value
  const free = runs.indexOf('')
  comparisonUrl.commit({ runs: free < 0 ? [...runs, id] : runs.map((each, at) => (at === free ? id : each)) })
}

/** Frees the places of runs; the others keep their letters. */
export function removeRuns(ids: readonly string[]): void {
  const { runs, base } = comparisonUrl.values.value
  const next = runs.map((each) => (ids.includes(each) ? '' : each))
  const last = next.findLastIndex((each) => each !== '')
  comparisonUrl.commit({ runs: next.slice(0, last + 1), base: ids.includes(base) ? '' : base })
}

interface RunChipsProps {
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  /** By id; undefined until they are read. */
  readonly listed: ReadonlyMap<string, ListedRun> | undefined
  readonly projectId: string
}

/** The compared runs with their marks, and a button for another. */
export const RunChips = ({ runs, baseline, listed, projectId }: RunChipsProps) => (
  <ul class={css.chips} aria-label={comparisonText.title}>
    {runs.map(({ id, place }) => {
      const run = listed?.get(id)
      return (
        <li key={id} class={css.chip}>
          <RunMark place={place} letter />
          {run === undefined ? (
            <bdi class={css.what}>{id}</bdi>
          ) : (
            <a class="cut" href={runPath(projectId, id)}>
              <b>{modelOf(run)}</b> <bdi>{promptOf(run)}</bdi>
            </a>
          )}
          {run && factsOf(run) !== '' && <bdi class={css.what}>{factsOf(run)}</bdi>}
          {run && run.rows_failed > 0 && <span class={css.failed}>{comparisonText.failed(run.rows_failed)}</span>}
          {id === baseline && <Badge>{comparisonText.baseline}</Badge>}
          {id !== baseline && (
            <IconButton
              of={X}
              size="compact"
              iconSize={14}
              label={comparisonText.remove(runLetter(place))}
              onClick={() => removeRuns([id])}
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

/** What makes a run other than a whole run of its dataset, once a row. */
const factsOf = ({ rows_chosen: chosen, trials }: ListedRun): string =>
  [chosen && evaluationText.chosen(chosen), trials > 1 && comparisonText.trials(trials)].filter(Boolean).join(', ')
