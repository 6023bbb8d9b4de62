import type { ColumnType, Fault, ImportOptions, ImportReceipt, Inspection } from '../../domains/datasets/index.ts'
import { apiUrl, problemOf, reach, send } from '../api/client.ts'
import { download } from '../api/download.ts'

/** Bytes of a text file that the server looks at; of a Parquet file it needs all. */
const sampleBytes = 8 * 1024 * 1024

/** Columns of a file are read as one of these. */
export const importTypes: readonly ColumnType[] = ['text', 'number', 'boolean', 'json', 'messages']

/** Faults of a file, for which nothing was written. */
export interface Refusal {
  readonly faults: readonly Fault[]
  readonly fault_count: number
}

function formOf(projectId: string, options: object, file: Blob, name: string): FormData {
  const form = new FormData()
  form.set('project_id', projectId)
  form.set('options', JSON.stringify(options))
  form.set('file', file, name)
  return form
}

/** How the server would read a file. @throws {Problem} */
export async function inspectFile(projectId: string, file: File): Promise<Inspection> {
  const sample = /\.parquet$/i.test(file.name) ? file : file.slice(0, sampleBytes)
  const body = formOf(projectId, {}, sample, file.name)
  const inspection: Inspection = await (await send(apiUrl('/datasets/inspect'), { method: 'POST', body })).json()
  return { ...inspection, is_whole: inspection.is_whole && sample.size === file.size }
}

/**
 * Stores the rows of a file as a version, or nothing.
 *
 * @returns the faults for which the file was refused, if there are any
 * @throws {Problem} 409 if another version came first
 */
export async function importFile(
  projectId: string,
  file: File,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportReceipt | Refusal> {
  const body = formOf(projectId, options, file, file.name)
  const response = await reach(apiUrl('/datasets/import'), { method: 'POST', body, signal })
  if (response.ok) {
    const receipt: ImportReceipt = await response.json()
    return receipt
  }
  const refusal: Partial<Refusal> = response.status === 422 ? await response.clone().json() : {}
  const { faults, fault_count } = refusal
  if (faults === undefined || fault_count === undefined) throw await problemOf(response)
  return { faults, fault_count }
}

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
