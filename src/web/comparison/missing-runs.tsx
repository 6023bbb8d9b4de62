import { Button } from '../components/controls/button.tsx'
import { Banner } from '../components/states/banner.tsx'
import { comparisonText } from '../text/evaluation/comparison.ts'
import type { LetteredRun } from './comparison-data.ts'
import { removeRuns } from './run-chips.tsx'
import { runLetter } from './run-mark.tsx'

interface MissingRunsProps {
  readonly gone: readonly LetteredRun[]
  readonly notBegun: readonly LetteredRun[]
  /** Those that are compared before their end. */
  readonly running: readonly LetteredRun[]
}

/** Which runs of the address are not compared, or not in full, and why. */
export const MissingRuns = ({ gone, notBegun, running }: MissingRunsProps) => (
  <>
    {gone.length > 0 && <Note runs={gone} says={comparisonText.gone} />}
    {notBegun.length > 0 && <Note runs={notBegun} says={comparisonText.notBegun} />}
    {running.length > 0 && (
      <Banner tone="info">
        {comparisonText.running(running.map(({ place }) => runLetter(place)).join(', '), running.length)}
      </Banner>
    )}
  </>
)

const Note = ({ runs, says }: { runs: readonly LetteredRun[]; says: (letters: string, count: number) => string }) => (
  <Banner action={<Button onClick={() => removeRuns(runs.map(({ id }) => id))}>{comparisonText.removeThese}</Button>}>
    {says(runs.map(({ place }) => runLetter(place)).join(', '), runs.length)}
  </Banner>
)
