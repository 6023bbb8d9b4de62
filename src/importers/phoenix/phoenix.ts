import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { parseTime } from '../../lib/time.ts'
import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import { countRows, openSqlite, schemaVersion } from '../input/sqlite-input.ts'
import { promptRecord } from '../objects/named-object.ts'
import { flattenAttributes, otlpAttributes, otlpNanos } from '../otlp-attributes.ts'
import type { ImportRecord, OtlpJson } from '../record.ts'
import { type Origin, originAttributes, type Source } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { jsonOf, phoenixDatasets, phoenixExperiments, textOrNull } from './experiments.ts'

interface SpanRow {
  readonly [column: string]: string | null
  readonly span_id: string
  readonly parent_id: string | null
  readonly trace_id: string
  readonly name: string
  readonly start_time: string
  readonly end_time: string | null
  readonly attributes: string
  readonly events: string
  readonly status_code: string
  readonly status_message: string
  readonly project: string
}

const statusCodes: Readonly<Record<string, number>> = { UNSET: 0, OK: 1, ERROR: 2 }

/** A row of Phoenix's table `spans` as a span again. */
function phoenixSpan(row: SpanRow, origin: Origin): ImportRecord {
  const attributes = json(row.attributes)
  const events = json(row.events)
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: { attributes: otlpAttributes({ 'openinference.project.name': row.project }) },
    scope: { name: 'phoenix' },
    item: {
      traceId: row.trace_id,
      spanId: row.span_id,
      ...(row.parent_id !== null && { parentSpanId: row.parent_id }),
      name: row.name,
      startTimeUnixNano: nanos(row.start_time),
      ...(row.end_time !== null && { endTimeUnixNano: nanos(row.end_time) }),
      attributes: [
        ...otlpAttributes(isJsonObject(attributes) ? flattenAttributes(attributes) : {}),
        ...originAttributes(origin),
      ],
      events: Array.isArray(events) ? events.filter(isJsonObject).map(spanEvent) : [],
      status: { code: statusCodes[row.status_code] ?? 0, message: row.status_message },
    },
  }
}

const spanEvent = (event: Record<string, unknown>): OtlpJson => ({
  name: String(event['name'] ?? ''),
  timeUnixNano: nanos(String(event['timestamp'] ?? '')),
  attributes: otlpAttributes(isJsonObject(event['attributes']) ? event['attributes'] : {}),
})

/** SQLAlchemy writes times in UTC without saying so. */
function nanos(text: string): string {
  const iso = text.replace(' ', 'T')
  return otlpNanos(parseTime(/(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`) ?? 0)
}

const json = (text: string): unknown => parseJsonExactly(text, telemetryLimits.otlpJsonDepthMax)

/** Annotations of spans, of their documents, and of traces, as feedback on calls. */
function* phoenixAnnotations(database: SqliteFile, select: string | undefined): Generator<ImportRecord> {
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
  const metadata: unknown = JSON.parse(String(row['metadata'] ?? '{}'))
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

/** All versions of prompts, the oldest first. A tag points to one version and becomes an alias. */
function* phoenixPrompts(database: SqliteFile): Generator<ImportRecord> {
  if (!database.hasTable('prompts') || !database.hasTable('prompt_versions')) return
  for (const version of [...database.rows(versions)]) {
    const aliases = [...database.rows(tagsOf, Number(version['id']))].map(({ name }) => String(name))
    const labels = [...database.rows(labelsOf, Number(version['prompt_id']))].map(({ name }) => String(name))
    yield promptRecord({
      name: String(version['prompt']),
      description: textOrNull(version['description']) ?? textOrNull(version['prompt_description']),
      prompt: templateOf(version),
      more: moreOf(version),
      labels: { tags: labels, aliases },
    })
  }
}

const versions = `
  SELECT v.*, p.name AS prompt, p.description AS prompt_description
  FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id ORDER BY v.id`

const tagsOf = 'SELECT name FROM prompt_version_tags WHERE prompt_version_id = ? ORDER BY name'

const labelsOf = `
  SELECT l.name FROM prompts_prompt_labels x JOIN prompt_labels l ON l.id = x.prompt_label_id
  WHERE x.prompt_id = ? ORDER BY l.name`

function templateOf({ template }: SqliteRow): string | readonly unknown[] {
  const value = jsonOf(template)
  if (!isJsonObject(value)) return String(value ?? '')
  const { messages, template: text } = value
  return Array.isArray(messages) ? messages : String(text ?? '')
}

function moreOf(version: SqliteRow): Record<string, unknown> {
  const { template_format, model_provider, model_name, invocation_parameters, tools, response_format, metadata } =
    version
  const members = {
    template_format,
    model_provider,
    model_name,
    invocation_parameters: jsonOf(invocation_parameters),
    tools: jsonOf(tools),
    response_format: jsonOf(response_format),
    metadata: jsonOf(metadata),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

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
