import { signal } from '@preact/signals'
import { postRaw } from '../api/client.ts'
import { parseCsv } from './csv.ts'

/** Values of paths in calls, for columns that somebody added. Read after the rows, by their ids. */
export class PathValues {
  readonly byId = signal<ReadonlyMap<string, Readonly<Record<string, string>>>>(new Map())
  private readonly asked = new Set<string>()
  private readonly projectId: string
  private readonly paths: readonly string[]

  constructor(projectId: string, paths: readonly string[]) {
    this.projectId = projectId
    this.paths = paths
  }

  /** Reads the values of the calls that it has not been asked for yet. */
  async read(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.asked.has(id))
    if (missing.length === 0 || this.paths.length === 0) return
    for (const id of missing) this.asked.add(id)
    // As CSV the server sends these members alone; as JSON it sends the payloads that hold them.
    const body = { project_id: this.projectId, filter: { call_ids: missing }, columns: ['id', ...this.paths] }
    try {
      const response = await postRaw('/calls/stream_query', body, { headers: { accept: 'text/csv' } })
      const [head = [], ...rows] = parseCsv(await response.text())
      const idAt = head.indexOf('id')
      const next = new Map(this.byId.peek())
      for (const row of rows) {
        const values = head.map((name, index) => [name, row[index] ?? ''] as const)
        if (row[idAt]) next.set(row[idAt], Object.fromEntries(values))
      }
      this.byId.value = next
    } catch {
      // The cells stay empty; the next read asks again.
      for (const id of missing) this.asked.delete(id)
    }
  }
}
