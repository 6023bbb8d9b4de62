import { FlaskConical } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import type { Matches } from '../../dataset/table-rows.ts'
import { filteredIn } from '../../evaluation-start/filtered.ts'
import { StartEvaluation } from '../../evaluation-start/start-evaluation.ts'
import { evaluationStartText } from '../../text/evaluation/evaluation-start.ts'
import { type ObjectVersion, refOf } from '../../versions/objects.ts'

interface EvaluateButtonProps {
  readonly projectId: string
  readonly version: ObjectVersion
  /** The rows that a filter has left, if there is one. */
  readonly search: Matches | undefined
}

/** Opens the dialog that starts runs over a version of a dataset, or its filtered rows. */
export function EvaluateButton({ projectId, version, search }: EvaluateButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={FlaskConical} onClick={() => setOpen(true)}>
        {evaluationStartText.evaluate}
      </Button>
      {isOpen && (
        <StartEvaluation
          projectId={projectId}
          initial={{ dataset: refOf(projectId, version), ...filteredIn(search) }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
