import { Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { lazyPart } from '../components/states/lazy-part.tsx'
import { canWrite } from '../state/session.ts'
import { showError } from '../state/toasts.ts'
import { datasetText } from '../text/dataset.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import { exportFiles, exportVersion } from './import-file.ts'

const ImportDialog = lazyPart(() => import('./import-dialog.tsx'), { loading: () => null })

interface FileActionsProps {
  readonly projectId: string
  readonly name: string
  /** The version that is exported. */
  readonly version: ObjectVersion
  /** The version that an import starts from; undefined while there are changes to save. */
  readonly latest: ObjectVersion | undefined
}

/** Import of a file into a dataset, and export of a version. */
export function FileActions({ projectId, name, version, latest }: FileActionsProps) {
  const [isImporting, setImporting] = useState(false)
  return (
    <>
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
