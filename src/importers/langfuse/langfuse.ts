import { isJsonObject, mergeObjects } from '../../lib/json-value.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { readFileRows } from '../../runtime/duck/database.ts'
import { type InputFile, listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { temporaryFolder } from '../../runtime/platform/files/paths.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import { promptRecord } from '../objects/named-object.ts'
import type { ImportRecord } from '../record.ts'
import type { ImportInput, Origin, Part, Source } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { apiDatasets, LangfuseApi, type Members } from './api-datasets.ts'
import { jsonOf, membersOf, normalRow, observationSpan, type Row, spanId, textOf, traceSpan } from './langfuse-span.ts'

/** Whatever an export or a response of the API contains: a trace, an observation, or a score. */
function* langfuseRecords(value: Record<string, unknown>, origin: Origin): Generator<ImportRecord> {
  const row = normalRow(value)
  if (Array.isArray(row['observations'])) return yield* wholeTrace(row, row['observations'], origin)
  if (row['dataType'] !== undefined && row['name'] !== undefined && row['startTime'] === undefined) {
    return yield* scoreRecord(row, undefined)
  }
  if (row['id'] !== undefined && row['traceId'] !== undefined && row['startTime'] !== undefined) {
    yield observationSpan(row, undefined, origin)
  } else if (row['id'] !== undefined && row['timestamp'] !== undefined) yield traceSpan(row, origin)
  else yield { kind: 'loss', what: 'rows that are not traces, observations or scores' }
}

/** A trace with its observations and scores. Some downloads put the trace beside them. */
function* wholeTrace(row: Row, given: readonly unknown[], origin: Origin): Generator<ImportRecord> {
  const trace = isJsonObject(row['trace']) ? normalRow(row['trace']) : row
  const observations = given.filter(isJsonObject).map(normalRow)
  for (const observation of observations) yield observationSpan(observation, trace, origin)
  if (observations.length === 0) yield traceSpan(trace, origin)
  const root = observations.find((one) => textOf(one['parentObservationId']) === undefined) ?? trace
  const scores = Array.isArray(trace['scores']) ? trace['scores'].filter(isJsonObject) : []
  for (const score of scores) yield* scoreRecord(normalRow(score), String(root['id']))
}

/** A score as feedback on its observation, or on the root of its trace. */
function* scoreRecord(score: Row, root: string | undefined): Generator<ImportRecord> {
  const about = textOf(score['observationId']) ?? root ?? textOf(score['traceId'])
  if (about === undefined) {
    yield { kind: 'loss', what: 'scores of sessions and of dataset runs' }
    return
  }
  const { name, value, stringValue, dataType, comment, source, timestamp } = score
  const metadata = membersOf(score['metadata'])
  yield {
    kind: 'feedback',
    about: { callId: spanId(about) },
    feedback: {
      id: stableUuid('langfuse', String(score['id'] ?? JSON.stringify(score))),
      feedback_type: `langfuse.${String(name)}`,
      creator: textOf(score['authorUserId']) ?? textOf(source)?.toLowerCase() ?? null,
      payload: {
        name,
        value: jsonOf(value),
        ...(textOf(stringValue) && { string_value: stringValue }),
        ...(textOf(dataType) && { data_type: dataType }),
        ...(textOf(comment) && { comment }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        scored_at: timestamp ?? null,
      },
    },
  }
}

/** All versions of prompts, the oldest first. A label points to one: it becomes an alias. */
async function* apiPrompts(api: LangfuseApi): AsyncGenerator<ImportRecord> {
  for await (const { name, versions } of api.list('/api/public/v2/prompts')) {
    const numbers = Array.isArray(versions) ? versions.map(Number).sort((a, b) => a - b) : []
    for (const version of numbers) {
      const path = `/api/public/v2/prompts/${encodeURIComponent(String(name))}?version=${version}`
      const prompt = await api.find(path)
      if (prompt === undefined) yield { kind: 'loss', what: 'versions of prompts that were deleted meanwhile' }
      else yield promptVersion(prompt)
    }
  }
}

const promptVersion = ({ name, prompt, config, version, labels, tags, commitMessage }: Members): ImportRecord =>
  promptRecord({
    name: String(name),
    description: textOf(commitMessage) ?? null,
    prompt: Array.isArray(prompt) ? prompt : String(prompt ?? ''),
    more: { config: config ?? null, langfuse_version: version },
    labels: { tags: texts(tags), aliases: texts(labels) },
  })

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Data from the public API of Langfuse: traces with their scores, datasets, prompts. */
async function* langfuseApiParts({ place, key }: ImportInput): AsyncGenerator<Part> {
  if (key?.includes(':') !== true) throw new Error('Langfuse needs its two keys: --source-key PUBLIC:SECRET')
  const api = new LangfuseApi(place, key)
  const origin = { source: 'langfuse', version: 'api', file: place }
  yield { name: 'traces', version: '1', records: () => traces(api, origin) }
  yield { name: 'datasets', version: '2', records: () => apiDatasets(api, origin) }
  yield { name: 'prompts', version: '1', records: () => apiPrompts(api) }
}

/** Oldest first, so that traces which arrive in the meantime come last. */
async function* traces(api: LangfuseApi, origin: Origin): AsyncGenerator<ImportRecord> {
  for await (const { id } of api.list('/api/public/traces', { orderBy: 'timestamp.asc' })) {
    const trace = await api.read(`/api/public/traces/${encodeURIComponent(String(id))}`)
    yield* langfuseRecords({ observations: [], ...trace }, origin)
  }
}

/** Exports of Langfuse, or its API. */
export const langfuse: Source = {
  name: 'langfuse',
  summary: 'exports of Langfuse (JSON, JSON lines, CSV, Parquet), or its address with --source-key PUBLIC:SECRET',
  async *parts(input) {
    if (/^https?:/.test(input.place)) return yield* langfuseApiParts(input)
    for await (const file of listInputFiles(input.place, (name) => fileNames.test(name))) {
      if (input.select !== undefined && !file.name.includes(input.select)) continue
      const origin = { source: 'langfuse', version: 'export', file: file.name }
      yield { name: file.name, version: `${file.bytes}-${file.modifiedMs}`, records: () => recordsOf(file, origin) }
    }
  },
}

const fileNames = /\.(?:jsonl?|ndjson|csv|parquet)(?:\.(?:gz|zst))?$/i

async function* recordsOf(file: InputFile, origin: Origin): AsyncGenerator<ImportRecord> {
  const format = /\.(csv|parquet)/i.exec(file.name)?.[1]?.toLowerCase()
  if (format === 'csv' || format === 'parquet') {
    const options = { memoryBytesMax: toolLimits.importMemoryBytesMax, temporaryFolder: temporaryFolder() }
    for await (const row of readFileRows(file.path, format, options)) yield* langfuseRecords(row, origin)
    return
  }
  yield* jsonRecords(file.path, origin)
}

/** Rows, or one document with a trace, whose members come one by one. */
async function* jsonRecords(path: string, origin: Origin): AsyncGenerator<ImportRecord> {
  let unreadable = 0
  let document: Record<string, unknown> = {}
  const options = { lists: ['data'], onUnreadable: () => unreadable++ }
  for await (const { member, value } of readJsonFile(path, options)) {
    if (member === undefined || member === 'data') {
      if (isJsonObject(value)) yield* langfuseRecords(value, origin)
    } else if (lists.has(member)) {
      const list = document[member]
      if (Array.isArray(list)) list.push(value)
      else document[member] = [value]
    } else document = mergeObjects(document, { [member]: value })
  }
  if (Object.keys(document).length > 0) yield* langfuseRecords({ observations: [], ...document }, origin)
  if (unreadable > 0) yield { kind: 'loss', what: `${tooLongLine}, or not JSON`, count: unreadable }
}

const lists = new Set(['observations', 'scores', 'tags'])
