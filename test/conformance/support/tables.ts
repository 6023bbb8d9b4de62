import { createHash } from 'node:crypto'
import type { Answer } from './client.ts'
import type { Project } from './project.ts'

export interface RowOut {
  digest: string
  val: unknown
  original_index: number
}

/**
 * The digest that a row without numbers of odd spelling, and with ASCII text only, must have: that
 * of its JSON with sorted keys.
 */
export function rowDigest(row: unknown): string {
  const hash = createHash('sha256').update(pythonText(row)).digest('base64url')
  return hash.replaceAll('-', 'X').replaceAll('_', 'Y')
}

export const digestOfRows = (rowDigests: readonly string[]): string =>
  createHash('sha256').update(rowDigests.join('')).digest('hex')

function pythonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}: ${pythonText(member)}`)
    .join(', ')}}`
}

export const append = (row: unknown) => ({ append: { row } })
export const pop = (index: number) => ({ pop: { index } })
export const insert = (index: number, row: unknown) => ({ insert: { index, row } })

/**
 * Requests on tables of one project. Those without `ask` in their name throw unless the server
 * answers 200.
 */
export class Tables {
  readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  askCreate(rows: readonly unknown[], expected?: string): Promise<Answer<{ digest: string; row_digests: string[] }>> {
    return this.project.client.post('/table/create', {
      table: { project_id: this.project.id, rows, ...(expected !== undefined && { expected_digest: expected }) },
    })
  }

  async create(rows: readonly unknown[]): Promise<{ digest: string; row_digests: string[] }> {
    return succeeded(await this.askCreate(rows))
  }

  askFromDigests(rowDigests: readonly string[], expected?: string): Promise<Answer<{ digest: string }>> {
    return this.project.client.post('/table/create_from_digests', {
      project_id: this.project.id,
      row_digests: rowDigests,
      ...(expected !== undefined && { expected_digest: expected }),
    })
  }

  async fromDigests(rowDigests: readonly string[]): Promise<string> {
    return succeeded(await this.askFromDigests(rowDigests)).digest
  }

  askUpdate(
    base: string,
    updates: readonly unknown[],
  ): Promise<Answer<{ digest: string; updated_row_digests: string[] }>> {
    return this.project.client.post('/table/update', { project_id: this.project.id, base_digest: base, updates })
  }

  async update(base: string, updates: readonly unknown[]): Promise<{ digest: string; updated_row_digests: string[] }> {
    return succeeded(await this.askUpdate(base, updates))
  }

  askQuery(digest: string, question: Record<string, unknown> = {}): Promise<Answer<{ rows: RowOut[] }>> {
    return this.project.client.post('/table/query', { project_id: this.project.id, digest, ...question })
  }

  async query(digest: string, question: Record<string, unknown> = {}): Promise<RowOut[]> {
    return succeeded(await this.askQuery(digest, question)).rows
  }

  /** Rows without their envelopes. */
  async vals(digest: string, question: Record<string, unknown> = {}): Promise<unknown[]> {
    return (await this.query(digest, question)).map(({ val }) => val)
  }

  async count(digest: string): Promise<number> {
    const body = { project_id: this.project.id, digest }
    return succeeded(await this.project.client.post<{ count: number }>('/table/query_stats', body)).count
  }
}

function succeeded<T>(answer: Answer<T>): T {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json
}
