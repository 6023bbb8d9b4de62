import { FlaskConical, Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { StartEvaluation } from '../evaluation-start/start-evaluation.ts'
import { canWrite } from '../state/session.ts'
import { showError } from '../state/toasts.ts'
import { datasetText } from '../text/dataset.ts'
import { evaluationStartText } from '../text/evaluation-start.ts'
import { type ObjectVersion, refOf } from '../versions/objects.ts'
import { exportFiles, exportVersion } from './import-file.ts'

const ImportDialog = lazyPart(() => import('./import-dialog.tsx'), { loading: () => null })

interface FileActionsProps {
  readonly projectId: string
  readonly name: string
  /** The version that is exported and evaluated. */
  readonly version: ObjectVersion
  /** The version that an import starts from; undefined while there are changes to save. */
  readonly latest: ObjectVersion | undefined
}

/** Import of a file into a dataset, export of a version, and evaluation runs over it. */
export function FileActions({ projectId, name, version, latest }: FileActionsProps) {
  const [isImporting, setImporting] = useState(false)
  const [isStarting, setStarting] = useState(false)
  return (
    <>
      {canWrite.value && (
        <Button icon={FlaskConical} onClick={() => setStarting(true)}>
          {evaluationStartText.evaluate}
        </Button>
      )}
      {isStarting && (
        <StartEvaluation
          projectId={projectId}
          initial={{ dataset: refOf(projectId, version) }}
          onClose={() => setStarting(false)}
        />
      )}
      {canWrite.value && latest !== undefined && (
        <Button icon={Upload} onClick={() => setImporting(true)}>
          {datasetText.import}
        </Button>
      )}
      <MenuButton
        label={datasetText.export}
        side="end"
        items={exportFiles.map(({ id, label }) => ({
          label,
          run: () => void exportVersion(projectId, version, id).catch(showError),
        }))}
      >
        {datasetText.export}
      </MenuButton>
      {isImporting && latest !== undefined && (
        <ImportDialog projectId={projectId} into={{ name, latest }} taken={[]} onClose={() => setImporting(false)} />
      )}
    </>
  )
}
