import { FlaskConical } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { ListedRun } from '../../../domains/evaluations/index.ts'
import type { LetteredRun } from '../../comparison/comparison-data.ts'
import { AddRun } from '../../comparison/dialogs.tsx'
import { addRun, RunChips } from '../../comparison/run-chips.tsx'
import { SavedComparisons } from '../../comparison/saved.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { Page } from '../../page/page.tsx'
import { comparisonText } from '../../text/evaluation/comparison.ts'

interface TooFewRunsProps {
  readonly projectId: string
  readonly runs: readonly LetteredRun[]
  readonly listed: ReadonlyMap<string, ListedRun> | undefined
  /** What is said of runs that are not compared. */
  readonly notes: ComponentChildren
  readonly back: { readonly href: string; readonly label: string }
}

/** The page of a comparison with nothing to compare yet. */
export const TooFewRuns = ({ projectId, runs, listed, notes, back }: TooFewRunsProps) => (
  <Page
    name={comparisonText.title}
    title={comparisonText.title}
    back={back}
    actions={<SavedComparisons projectId={projectId} runs={[]} scores={[]} />}
  >
    {runs.length > 0 && <RunChips runs={runs} baseline="" listed={listed} projectId={projectId} />}
    {notes}
    <EmptyState
      icon={FlaskConical}
      title={comparisonText.nothing}
      action={<AddRun projectId={projectId} taken={runs.map(({ id }) => id)} onAdd={addRun} />}
    >
      {comparisonText.nothingReason}
    </EmptyState>
  </Page>
)
