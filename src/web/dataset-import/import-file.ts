import type {
  ColumnType,
  Fault,
  ImportOptions,
  ImportReceipt,
  Inspection,
  ReadOptions,
} from '../../domains/datasets/index.ts'
import { apiUrl } from '../api/api-request.ts'
import { Problem, problemOf, send } from '../api/client.ts'

/** Bytes of a text file that the server looks at; of a Parquet file it needs all. */
const sampleBytes = 8 * 1024 * 1024

/** Columns of a file are read as one of these. */
export const importTypes: readonly ColumnType[] = ['text', 'number', 'boolean', 'json', 'messages']

/** Faults of a file, for which nothing was written. */
export interface Refusal {
  readonly faults: readonly Fault[]
  readonly fault_count: number
  /** Lines that could be left out; null if the rest of the file cannot be read without them. */
  readonly faulty_lines: number | null
}

function formOf(projectId: string, options: object, file: Blob, name: string): FormData {
  const form = new FormData()
  form.set('project_id', projectId)
  form.set('options', JSON.stringify(options))
  form.set('file', file, name)
  return form
}

/** How the server would read a file. @throws {Problem} */
export async function inspectFile(
  projectId: string,
  file: File,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Inspection> {
  const needsAll = options.format === 'parquet' || /\.parquet$/i.test(file.name)
  const sample = needsAll ? file : file.slice(0, sampleBytes)
  const body = formOf(projectId, options, sample, file.name)
  const answer = await send(apiUrl('/datasets/inspect'), { method: 'POST', body, signal })
  const inspection: Inspection = await answer.json()
  return { ...inspection, is_whole: inspection.is_whole && sample.size === file.size }
}

/**
 * Stores the rows of a file as a version, or nothing.
 *
 * @param onSent is told which share of the file is sent
 * @returns the faults for which the file was refused, if there are any
 * @throws {Problem} 409 if another version came first
 */
export async function importFile(
  projectId: string,
  file: File,
  options: ImportOptions,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (share: number) => void },
): Promise<ImportReceipt | Refusal> {
  const response = await upload(apiUrl('/datasets/import'), formOf(projectId, options, file, file.name), {
    signal,
    onSent,
  })
  if (response.ok) {
    const receipt: ImportReceipt = await response.json()
    return receipt
  }
  const refusal: Partial<Refusal> = response.status === 422 ? await response.clone().json() : {}
  const { faults, fault_count, faulty_lines = null } = refusal
  if (faults === undefined || fault_count === undefined) throw await problemOf(response)
  return { faults, fault_count, faulty_lines }
}

/** Sends a form and tells how much of it is sent, which `fetch` does not. @throws {Problem} */
function upload(
  url: string,
  body: FormData,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (share: number) => void },
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', url)
  request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total)
  request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
  request.onerror = () => reject(new Problem(0, 'The server did not answer'))
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.send(body)
  return promise
}
