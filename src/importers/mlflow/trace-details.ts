import type { SqliteFile } from '../../runtime/platform/files/sqlite-file.ts'

type Texts = Readonly<Record<string, string>>

/** Tags and metadata of traces. */
export class TraceDetails {
  private readonly database: SqliteFile

  constructor(database: SqliteFile) {
    this.database = database
  }

  of(traceId: string): { readonly tags: Texts; readonly metadata: Texts } {
    return { tags: this.read('trace_tags', traceId), metadata: this.read('trace_request_metadata', traceId) }
  }

  private read(table: string, traceId: string): Texts {
    const rows = this.database.rows(`SELECT key, value FROM ${table} WHERE request_id = ? ORDER BY key`, traceId)
    return Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value ?? '')]))
  }
}
