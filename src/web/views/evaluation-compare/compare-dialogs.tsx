import type { ComparedRows } from '../../../domains/evaluations/index.ts'
import { comparisonUrl, type LetteredRun, type RowsAsked, type ScoreChoice } from '../../comparison/comparison-data.ts'
import { GateDialog, ScoresDialog } from '../../comparison/dialogs.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'

const PairsDialog = lazyPart(() => import('../../comparison/pairs-dialog.tsx'), { loading: () => null })

/** Which dialog of a comparison is open. */
export type CompareDialog = 'scores' | 'gate' | 'pairs' | undefined

interface CompareDialogsProps {
  readonly dialog: CompareDialog
  readonly projectId: string
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly asked: RowsAsked
  /** Undefined while they are read. */
  readonly rows: ComparedRows | undefined
  /** All scores of the runs, and the names of those that are shown. */
  readonly choices: readonly ScoreChoice[]
  readonly chosen: readonly string[]
  readonly nameOf: (id: string) => string
  readonly onClose: () => void
}

/** The dialogs that choose scores, make a gate, and send pairs of outputs to a queue. */
export function CompareDialogs(props: CompareDialogsProps) {
  const { dialog, projectId, runs, baseline, asked, rows, choices, chosen, nameOf, onClose } = props
  const { same, low } = comparisonUrl.values.value
  if (dialog === 'scores') {
    const finish = (changes: Parameters<typeof comparisonUrl.commit>[0]) => {
      comparisonUrl.commit(changes)
      onClose()
    }
    return <ScoresDialog {...{ choices, chosen, same, low, onClose }} onDone={finish} />
  }
  if (dialog === 'gate') {
    const scores = choices.filter(({ score }) => chosen.includes(score))
    return <GateDialog {...{ projectId, runs, baseline, same, low, scores, onClose }} />
  }
  if (dialog === 'pairs' && rows)
    return <PairsDialog {...{ asked, runs, baseline, nameOf, onClose }} rowCount={rows.total_rows} />
  return null
}
