import { Trash2, Upload } from 'lucide'
import { download } from '../api/download.ts'
import { Button } from '../components/controls/button.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { importPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { canWrite } from '../state/session.ts'
import { showError } from '../state/toasts.ts'
import { useIsPhone } from '../state/use-media.ts'
import { datasetText } from '../text/dataset.ts'
import { versionText } from '../text/version.ts'
import type { ObjectVersion } from '../versions/objects.ts'

interface FileActionsProps {
  readonly projectId: string
  readonly name: string
  /** The version that is exported. */
  readonly version: ObjectVersion
  /** The version that an import starts from; undefined while there are changes to save. */
  readonly latest: ObjectVersion | undefined
  /** Without it, deleting the dataset is not offered. */
  readonly onDelete: (() => void) | undefined
}

/** Import of a file into a dataset, export of a version, and what else can be done with it. */
export function FileActions({ projectId, name, version, latest, onDelete }: FileActionsProps) {
  const isPhone = useIsPhone()
  const canImport = canWrite.value && latest !== undefined
  const exports = exportFiles.map(({ id, label }) => ({
    label: isPhone ? datasetText.exportAs(label) : label,
    run: () => void exportVersion(projectId, version, id).catch(showError),
  }))
  const open = () => navigate(importPath(projectId, name))
  const more = onDelete
    ? [{ label: datasetText.deleteDataset, icon: Trash2, danger: true, separator: isPhone, run: onDelete }]
    : []
  if (isPhone) {
    const items = canImport ? [{ label: datasetText.import, icon: Upload, run: open }, ...exports] : exports
    return <MenuButton label={datasetText.files} side="end" items={[...items, ...more]} />
  }
  return (
    <>
      {canImport && (
        <Button icon={Upload} onClick={open}>
          {datasetText.import}
        </Button>
      )}
      <MenuButton label={datasetText.export} side="end" items={exports}>
        {datasetText.export}
      </MenuButton>
      {more.length > 0 && <MenuButton label={versionText.more} kind="quiet" side="end" items={more} />}
    </>
  )
}

/** Files that a version is exported to. */
const exportFiles = [
  { id: 'csv', label: 'CSV' },
  { id: 'jsonl', label: 'JSON Lines' },
  { id: 'parquet', label: 'Parquet' },
] as const

/** Saves a version as a file. @throws {Problem} */
const exportVersion = (
  projectId: string,
  version: { readonly object_id: string; readonly digest: string; readonly version_index: number },
  format: (typeof exportFiles)[number]['id'],
): Promise<void> =>
  download(
    '/datasets/export',
    { project_id: projectId, object_id: version.object_id, digest: version.digest, format },
    `${version.object_id}.v${version.version_index}.${format}`,
    '*/*',
  )
