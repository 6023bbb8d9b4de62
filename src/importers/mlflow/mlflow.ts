import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { decodeBase64 } from '../../runtime/platform/crypto.ts'
import { findText } from '../../runtime/platform/files/files.ts'
import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { SqliteFile, SqliteRow } from '../../runtime/platform/files/sqlite-file.ts'
import { openSqlite, schemaVersion } from '../input/sqlite-input.ts'
import { membersOf } from '../inspect/members.ts'
import { otlpAttributes } from '../otlp-attributes.ts'
import type { ImportRecord, OtlpJson } from '../record.ts'
import { type Origin, originAttributes, type Source } from '../source.ts'

type Members = Readonly<Record<string, unknown>>

/** Data that MLflow stores in addition to the spans of a trace. */
interface TraceFacts {
  readonly origin: Origin
  readonly experiment: string
  /** In a column of its own since MLflow 3.17; before, it is part of the metadata. */
  readonly session: unknown
  readonly tags: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, string>>
}

const statusCodes: Readonly<Record<string, number>> = {
  STATUS_CODE_UNSET: 0,
  STATUS_CODE_OK: 1,
  STATUS_CODE_ERROR: 2,
  OK: 1,
  ERROR: 2,
}

/** A span as MLflow stores it: ids in base64, attribute values as JSON texts. */
export function mlflowSpan(content: string, facts: TraceFacts): ImportRecord {
  const span = membersOf(parseJsonExactly(content, telemetryLimits.otlpJsonDepthMax))
  const parentId = hexId(span['parent_span_id'])
  const events = Array.isArray(span['events']) ? span['events'].filter(isJsonObject) : []
  return {
    kind: 'telemetry',
    signal: 'traces',
    resource: { attributes: otlpAttributes({ 'mlflow.experiment': facts.experiment }) },
    scope: { name: 'mlflow' },
    item: {
      traceId: hexId(span['trace_id']),
      spanId: hexId(span['span_id']),
      ...(parentId !== '' && { parentSpanId: parentId }),
      name: String(span['name'] ?? ''),
      startTimeUnixNano: integerText(span['start_time_unix_nano']),
      endTimeUnixNano: integerText(span['end_time_unix_nano']),
      attributes: [
        ...otlpAttributes(isJsonObject(span['attributes']) ? span['attributes'] : {}),
        ...otlpAttributes(traceAttributes(facts, parentId === '')),
        ...originAttributes(facts.origin),
      ],
      events: events.map(spanEvent),
      status: statusOf(span['status']),
    },
  }
}

/** The session goes to every span, as a thread; the rest of the trace's details to its root. */
function traceAttributes({ session: given, tags, metadata }: TraceFacts, isRoot: boolean): Record<string, string> {
  const session = typeof given === 'string' ? given : metadata['mlflow.trace.session']
  const named: Record<string, string> = session === undefined ? {} : { 'mlflow.trace.session': session }
  if (!isRoot) return asJson(named)
  const user = metadata['mlflow.trace.user']
  const ownTags = Object.fromEntries(Object.entries(tags).filter(([name]) => !name.startsWith('mlflow.')))
  return {
    ...asJson({ ...named, ...(user !== undefined && { 'mlflow.trace.user': user }) }),
    ...(user !== undefined && { 'user.id': user }),
    ...prefixed('mlflow.trace.tags.', ownTags),
  }
}

/** MLflow's attributes contain JSON, also for texts. */
const asJson = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, JSON.stringify(text)]))

const prefixed = (prefix: string, texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]))

const spanEvent = (event: Members): OtlpJson => ({
  name: String(event['name'] ?? ''),
  timeUnixNano: integerText(event['time_unix_nano'] ?? event['timestamp']),
  attributes: otlpAttributes(isJsonObject(event['attributes']) ? event['attributes'] : {}),
})

function statusOf(status: unknown): OtlpJson {
  const { code, message } = isJsonObject(status) ? status : {}
  const number = typeof code === 'number' ? code : statusCodes[String(code)]
  return { code: number ?? 0, message: String(message ?? '') }
}

/** Ids are base64, or hexadecimal in older versions. */
function hexId(id: unknown): string {
  if (typeof id !== 'string' || id === '') return ''
  // The base64 of an id may begin like a prefix, too.
  const hex = /^(?:0x|tr-)?([0-9a-f]{16}|[0-9a-f]{32})$/.exec(id)?.[1]
  return hex ?? decodeBase64(id)?.toHex() ?? id
}

const integerText = (value: unknown): string => JSON.stringify(value ?? 0)

/** Feedback and expectations, as feedback on the span or on the root of the trace. */
function* mlflowAssessments(database: SqliteFile, select: string | null): Generator<ImportRecord> {
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

/**
 * The spans of a trace that MLflow has written to a file, as it did before it had a table for them,
 * each as JSON text. Undefined if the file is not on this machine.
 */
async function artifactSpans(location: string | undefined): Promise<string[] | undefined> {
  if (location === undefined || /^(?!file:)[a-z][a-z0-9+.-]*:/i.test(location)) return undefined
  const text = await findText(joinPath(location.replace(/^file:\/\//, ''), 'traces.json'))
  if (text === undefined) return undefined
  const trace: unknown = JSON.parse(text)
  const spans = isJsonObject(trace) ? trace['spans'] : undefined
  return Array.isArray(spans) ? spans.map((span) => JSON.stringify(span)) : []
}

type Texts = Readonly<Record<string, string>>

/** Tags and metadata of traces. */
class TraceDetails {
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
