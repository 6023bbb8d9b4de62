import { isJsonObject } from '../../lib/json-value.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import type { ImportRecord } from '../record.ts'
import { stableUuid } from '../stable-id.ts'

/** Annotations of spans, of their documents, and of traces, as feedback on calls. */
export function* phoenixAnnotations(database: SqliteFile, select: string | undefined): Generator<ImportRecord> {
  for (const { table, calls, position } of annotationTables) {
    if (!database.hasTable(table)) continue
    const statement = `
      SELECT a.*, s.span_id AS call_id, ${position} AS position, p.name AS project
      FROM ${table} a ${calls} JOIN projects p ON p.id = t.project_rowid
      WHERE ? IS NULL OR p.name = ?
      ORDER BY a.id`
    for (const row of database.rows(statement, select ?? null, select ?? null)) {
      if (row['call_id'] === null) yield { kind: 'loss', what: 'annotations of traces without a root span' }
      else yield annotation(table, row)
    }
  }
}

const spanOfAnnotation = 'JOIN spans s ON s.id = a.span_rowid JOIN traces t ON t.id = s.trace_rowid'

/** The call of a trace's annotation is the root of the trace. */
const annotationTables = [
  { table: 'span_annotations', calls: spanOfAnnotation, position: 'NULL' },
  { table: 'document_annotations', calls: spanOfAnnotation, position: 'a.document_position' },
  {
    table: 'trace_annotations',
    calls: `JOIN traces t ON t.id = a.trace_rowid LEFT JOIN spans s ON s.id =
      (SELECT min(r.id) FROM spans r WHERE r.trace_rowid = t.id AND r.parent_id IS NULL)`,
    position: 'NULL',
  },
] as const

function annotation(table: string, row: SqliteRow): ImportRecord {
  const { name, label, score, explanation, annotator_kind, identifier, position, call_id } = row
  const metadata = JSON.parse(String(row['metadata'] ?? '{}')) as unknown
  return {
    kind: 'feedback',
    about: { callId: String(call_id) },
    feedback: {
      id: stableUuid('phoenix', table, String(call_id), String(name), String(identifier), String(position)),
      feedback_type: `phoenix.${String(name)}`,
      creator: String(annotator_kind).toLowerCase(),
      payload: {
        name,
        label,
        score,
        explanation,
        annotator_kind,
        ...(position !== null && { document_position: position }),
        ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 && { metadata }),
        annotated_at: row['created_at'],
      },
    },
  }
}
