import { FlaskConical } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../../components/controls/button.tsx'
import { StartEvaluation } from '../../evaluation-start/start-evaluation.ts'
import { evaluationStartText } from '../../text/evaluation/evaluation-start.ts'
import { type ObjectVersion, refOf } from '../../versions/objects.ts'

/** Opens the dialog that starts evaluation runs over a version of a dataset. */
export function EvaluateButton({ projectId, version }: { projectId: string; version: ObjectVersion }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={FlaskConical} onClick={() => setOpen(true)}>
        {evaluationStartText.evaluate}
      </Button>
      {isOpen && (
        <StartEvaluation
          projectId={projectId}
          initial={{ dataset: refOf(projectId, version) }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
