import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import type { SqliteFile } from '../../runtime/platform/files/sqlite-file.ts'
import { countRows, openSqlite, schemaVersion } from '../input/sqlite-input.ts'
import type { ImportRecord } from '../record.ts'
import type { Source } from '../source.ts'
import { phoenixAnnotations } from './annotations.ts'
import { phoenixDatasets } from './datasets.ts'
import { phoenixExperiments } from './experiments.ts'
import { phoenixSpan, type SpanRow } from './phoenix-span.ts'
import { phoenixPrompts } from './prompts.ts'

/** The SQLite file of Arize Phoenix. */
export const phoenix: Source = {
  name: 'phoenix',
  summary: 'the SQLite file of Arize Phoenix (phoenix.db)',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /\.(?:db|sqlite3?)$/.test(name))) {
      // Rows may still be in the write-ahead log of SQLite, which does not change this file.
      const version = `${file.bytes}-${file.modifiedMs}`
      yield { name: file.name, version, records: () => recordsOf(file.path, file.name, select) }
    }
  },
}

async function* recordsOf(path: string, file: string, select: string | undefined): AsyncGenerator<ImportRecord> {
  using database = openSqlite(path, ['projects', 'traces', 'spans'])
  const origin = { source: 'phoenix', version: schemaVersion(database), file }
  for (const row of database.rows(spansOf, select ?? null, select ?? null)) yield phoenixSpan(row as SpanRow, origin)
  yield* phoenixAnnotations(database, select)
  yield* phoenixExperiments(database, origin)
  yield* phoenixDatasets(database)
  yield* phoenixPrompts(database)
  yield* lossesOf(database)
}

const spansOf = `
  SELECT s.span_id, s.parent_id, s.name, s.start_time, s.end_time, s.attributes, s.events, s.status_code,
    s.status_message, t.trace_id, p.name AS project
  FROM spans s JOIN traces t ON t.id = s.trace_rowid JOIN projects p ON p.id = t.project_rowid
  WHERE ? IS NULL OR p.name = ?
  ORDER BY s.id`

function* lossesOf(database: SqliteFile): Generator<ImportRecord> {
  for (const [table, what] of notImported) {
    const count = countRows(database, table)
    if (count > 0) yield { kind: 'loss', what, count }
  }
}

const notImported = [['project_session_annotations', 'annotations of sessions']] as const
