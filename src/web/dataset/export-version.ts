import { download } from '../api/download.ts'

/** Files that a version is exported to. */
export const exportFiles = [
  { id: 'csv', label: 'CSV' },
  { id: 'jsonl', label: 'JSON Lines' },
  { id: 'parquet', label: 'Parquet' },
] as const

/** Saves a version as a file. @throws {Problem} */
export const exportVersion = (
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
