import { isJsonObject } from '../../lib/json-value.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import type { ImportRecord } from '../record.ts'

/** Feedback and expectations, as feedback on the span or on the root of the trace. */
export function* mlflowAssessments(database: SqliteFile, select: string | null): Generator<ImportRecord> {
  if (!database.hasTable('assessments') || !database.hasTable('spans')) return
  for (const row of database.rows(assessments, select, select)) {
    if (row['call_id'] === null) yield { kind: 'loss', what: 'assessments of traces without a root span' }
    else yield assessment(row)
  }
}

const assessments = `
  SELECT a.assessment_id, a.name, a.assessment_type, a.value, a.error, a.created_timestamp, a.source_type, a.source_id,
    a.rationale, a.valid, a.assessment_metadata, coalesce(a.span_id,
      (SELECT s.span_id FROM spans s WHERE s.trace_id = a.trace_id AND s.parent_span_id IS NULL LIMIT 1)) AS call_id
  FROM assessments a JOIN trace_info i ON i.request_id = a.trace_id
    JOIN experiments e ON e.experiment_id = i.experiment_id
  WHERE ? IS NULL OR e.name = ?
  ORDER BY a.created_timestamp, a.assessment_id`

function assessment(row: SqliteRow): ImportRecord {
  const metadata = json(row['assessment_metadata'])
  return {
    kind: 'feedback',
    about: { callId: String(row['call_id']) },
    feedback: {
      id: String(row['assessment_id']),
      feedback_type: `mlflow.${String(row['name'])}`,
      creator: row['source_id'] === null ? null : String(row['source_id']),
      payload: {
        name: row['name'],
        type: row['assessment_type'],
        value: json(row['value']),
        ...(row['rationale'] !== null && { rationale: row['rationale'] }),
        ...(row['error'] !== null && { error: json(row['error']) }),
        source_type: row['source_type'],
        is_valid: Boolean(row['valid']),
        assessed_at: new Date(Number(row['created_timestamp'])).toISOString(),
        ...(isJsonObject(metadata) && { metadata }),
      },
    },
  }
}

function json(text: SqliteRow[string] | undefined): unknown {
  if (typeof text !== 'string') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
