import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { openSqlite, schemaVersion } from '../input/sqlite-input.ts'
import type { ImportRecord } from '../record.ts'
import type { Source } from '../source.ts'
import { artifactSpans } from './artifact-spans.ts'
import { mlflowAssessments } from './assessments.ts'
import { mlflowSpan, type TraceFacts } from './mlflow-span.ts'
import { TraceDetails } from './trace-details.ts'

/** The SQLite file of an MLflow tracking server. */
export const mlflow: Source = {
  name: 'mlflow',
  summary: 'the SQLite file of MLflow (mlflow.db)',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /\.(?:db|sqlite3?)$/.test(name))) {
      const version = `${file.bytes}-${file.modifiedMs}`
      yield { name: file.name, version, records: () => recordsOf(file.path, file.name, select) }
    }
  },
}

async function* recordsOf(path: string, file: string, select: string | undefined): AsyncGenerator<ImportRecord> {
  using database = openSqlite(path, ['experiments', 'trace_info'])
  const origin = { source: 'mlflow', version: schemaVersion(database), file }
  const details = new TraceDetails(database)
  const hasSpans = database.hasTable('spans')
  const wanted = select ?? null
  for (const { request_id, experiment, session_id } of [...database.rows(tracesOf, wanted, wanted)]) {
    const id = String(request_id)
    const facts: TraceFacts = { origin, experiment: String(experiment), session: session_id, ...details.of(id) }
    let count = 0
    const contents = hasSpans ? database.rows(spansOfTrace, id) : []
    for (const { content } of contents) {
      count++
      yield mlflowSpan(String(content), facts)
    }
    if (count > 0) continue
    const spans = await artifactSpans(facts.tags['mlflow.artifactLocation'])
    if (spans === undefined) yield { kind: 'loss', what: 'traces whose spans are not on this machine' }
    else for (const span of spans) yield mlflowSpan(span, facts)
  }
  yield* mlflowAssessments(database, wanted)
}

const tracesOf = `
  SELECT i.*, e.name AS experiment
  FROM trace_info i JOIN experiments e ON e.experiment_id = i.experiment_id
  WHERE ? IS NULL OR e.name = ?
  ORDER BY i.timestamp_ms, i.request_id`

const spansOfTrace = 'SELECT content FROM spans WHERE trace_id = ? ORDER BY start_time_unix_nano, span_id'
