import { Download, ListChecks, SquareTerminal } from 'lucide'
import { comparisonUrl, type LetteredRun } from '../../comparison/comparison-data.ts'
import { runLetter } from '../../comparison/run-mark.tsx'
import { SavedComparisons } from '../../comparison/saved.tsx'
import { Button } from '../../components/controls/button.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { canWrite } from '../../state/session.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { comparisonText } from '../../text/evaluation/comparison.ts'
import { pairsText } from '../../text/evaluation/pairs.ts'
import css from './evaluation-compare-view.module.css'

interface CompareActionsProps {
  readonly projectId: string
  readonly runs: readonly LetteredRun[]
  readonly baseline: string
  readonly scores: readonly string[]
  readonly nameOf: (id: string) => string
  /** Undefined until the rows are read. */
  readonly rowCount: number | undefined
  /** How many rows have been exported; undefined when nothing is. */
  readonly exported: number | undefined
  readonly onExport: () => void
  readonly onGate: () => void
  readonly onPairs: () => void
}

/** What can be done with a comparison; in one menu on phones. */
export function CompareActions(props: CompareActionsProps) {
  const { projectId, runs, baseline, scores, nameOf, rowCount, exported, onExport, onGate, onPairs } = props
  const isPhone = useIsPhone()
  const letter = runLetter(runs.find(({ id }) => id === baseline)?.place ?? 0)
  const baselines = runs.map(({ id, place }) => ({
    label: comparisonText.makeBaseline(runLetter(place), nameOf(id)),
    checked: id === baseline,
    run: () => comparisonUrl.commit({ base: id }),
  }))
  const ordered = [baseline, ...runs.flatMap(({ id }) => (id === baseline ? [] : [id]))]
  const saved = <SavedComparisons projectId={projectId} runs={ordered} scores={scores} />
  const mayReview = canWrite.value && (rowCount ?? 0) > 0
  if (isPhone) {
    return (
      <div class={css.actions}>
        <MenuButton
          label={comparisonText.actions}
          side="end"
          items={[
            ...baselines.map((item) => ({ ...item, label: comparisonText.asBaseline(item.label) })),
            ...(rowCount === undefined
              ? []
              : [
                  { label: comparisonText.exportCsv, icon: Download, run: onExport },
                  { label: comparisonText.gate, icon: SquareTerminal, run: onGate },
                  ...(mayReview ? [{ label: pairsText.action, icon: ListChecks, run: onPairs }] : []),
                ]),
          ]}
        />
        {saved}
      </div>
    )
  }
  return (
    <div class={css.actions}>
      <MenuButton label={comparisonText.chooseBaseline} kind="quiet" side="end" items={baselines}>
        {comparisonText.baselineIs(letter)}
      </MenuButton>
      <Button icon={Download} busy={exported !== undefined} disabled={rowCount === undefined} onClick={onExport}>
        {exported === undefined ? comparisonText.exportCsv : comparisonText.exporting(exported, rowCount ?? 0)}
      </Button>
      <Button icon={SquareTerminal} disabled={rowCount === undefined} onClick={onGate}>
        {comparisonText.gate}
      </Button>
      {canWrite.value && (
        <Button icon={ListChecks} disabled={!mayReview} onClick={onPairs}>
          {pairsText.action}
        </Button>
      )}
      {saved}
    </div>
  )
}
