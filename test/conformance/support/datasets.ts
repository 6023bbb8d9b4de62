import type { Answer } from './client.ts'
import { formBytes, postForm } from './files.ts'
import type { Project } from './project.ts'

interface Fault {
  line: number
  column: string | null
  value: string | null
  reason: string
}

export interface ImportAnswer {
  object_id: string
  digest: string
  version_index: number
  rows: number
  added: number
  skipped: number
  left_out: number
  reason?: string
  error_type?: string
  faults?: Fault[]
  fault_count?: number
  faulty_lines?: number | null
  latest_digest?: string
}

export interface InspectedFile {
  format: string
  encoding: string | null
  byte_order_mark: boolean
  delimiter: string | null
  quote: string | null
  header: boolean | null
  columns: { source: number; name: string; type: string; why: string; empty_count: number }[]
  rows: { line: number; values: (string | null)[] }[]
  rows_read: number
  is_whole: boolean
  faults: Fault[]
  fault_count: number
}

export interface DiffedVersions {
  from_rows: number
  to_rows: number
  added: number
  removed: number
  changed: number
  same: number
  changes: {
    kind: string
    from_index: number | null
    to_index: number | null
    from_row: unknown
    to_row: unknown
    from_row_digest: string | null
    to_row_digest: string | null
  }[]
}

export type FileContent = string | Uint8Array

/** Datasets of a project as files. */
export class DatasetFiles {
  readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  inspect(content: FileContent, options: object = {}, fileName = 'rows.csv'): Promise<Answer<InspectedFile>> {
    return this.post('/datasets/inspect', content, options, fileName)
  }

  /** `datasets/import`, whatever the answer. */
  ask(content: FileContent, options: object = {}, fileName = 'rows.csv'): Promise<Answer<ImportAnswer>> {
    return this.post('/datasets/import', content, { name: 'data', ...options }, fileName)
  }

  async import(content: FileContent, options: object = {}, fileName?: string): Promise<ImportAnswer> {
    return succeeded(await this.ask(content, options, fileName))
  }

  async export(digest: string, format: string, name = 'data'): Promise<Uint8Array> {
    const body = { project_id: this.project.id, object_id: name, digest, format }
    const answer = await this.project.client.post('/datasets/export', body)
    succeeded(answer)
    return answer.bytes
  }

  async columns(digest: string, name = 'data') {
    const body = { project_id: this.project.id, object_id: name, digest }
    const answer = await this.project.client.post<{
      rows: number
      columns: { name: string; type: string; empty: string }[]
    }>('/datasets/columns', body)
    return succeeded(answer)
  }

  async diff(from: string, to: string, more: object = {}): Promise<DiffedVersions> {
    const body = { project_id: this.project.id, object_id: 'data', from_digest: from, to_digest: to, ...more }
    return succeeded(await this.project.client.post<DiffedVersions>('/datasets/diff', body))
  }

  /** Rows of a version as JSON texts, in order. */
  async rows(digest = 'latest', name = 'data'): Promise<string[]> {
    const text = new TextDecoder().decode(await this.export(digest, 'jsonl', name))
    return text.split('\n').filter((line) => line !== '')
  }

  /** Digests of the rows of a version, in order. */
  async rowDigests(digest: string, name = 'data'): Promise<string[]> {
    const read = succeeded(
      await this.project.client.post<{ obj: { val: { rows: string } } }>('/obj/read', {
        project_id: this.project.id,
        object_id: name,
        digest,
      }),
    )
    const table = read.obj.val.rows.split('/').at(-1)
    const answer = await this.project.client.post<{ rows: { digest: string }[] }>('/table/query', {
      project_id: this.project.id,
      digest: table,
    })
    return succeeded(answer).rows.map((row) => row.digest)
  }

  /** Number of versions of all datasets of the project. */
  async versions(): Promise<number> {
    const answer = await this.project.client.post<{ objs: unknown[] }>('/objs/query', { project_id: this.project.id })
    return succeeded(answer).objs.length
  }

  private post<T>(path: string, content: FileContent, options: object, fileName: string): Promise<Answer<T>> {
    const form = formBytes([
      { member: 'project_id', content: this.project.id },
      { member: 'file', content, fileName },
      // Last, because fields may come in any order.
      { member: 'options', content: JSON.stringify(options) },
    ])
    return postForm<T>(this.project.client, path, form)
  }
}

function succeeded<T>(answer: Answer<T>): T {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}
