import { isJsonObject } from '../../lib/json-value.ts'
import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import { originAttributes } from '../origin.ts'
import type { ImportRecord, OtlpJson, Signal } from '../record.ts'
import type { Origin, Source } from '../source.ts'
import { isPrefixed, readPrefixed } from './prefixed.ts'
import { protobufRecords } from './protobuf-records.ts'

/** Files of OpenTelemetry, for example those that the collector's file exporter writes. */
export const otlp: Source = {
  name: 'otlp',
  summary: 'OTLP files: JSON lines or documents, length-prefixed protobuf; also with gzip or zstd',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => fileNames.test(name))) {
      if (select !== undefined && !file.name.includes(select)) continue
      const origin = { source: 'otlp', version: '1', file: file.name }
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, origin),
      }
    }
  },
}

const fileNames = /\.(?:json|jsonl|ndjson|otlp|pb|proto|protobuf|bin)(?:\.(?:gz|zst|zstd))?$/i

async function* recordsOf(path: string, origin: Origin): AsyncGenerator<ImportRecord> {
  if (await isPrefixed(path)) {
    for await (const message of readPrefixed(path)) {
      if (typeof message === 'string') yield* requestRecords(undefined, JSON.parse(message), origin)
      else yield* protobufRecords(message, origin)
    }
    return
  }
  let unreadable = 0
  const options = { lists: Object.keys(lists), onUnreadable: () => unreadable++ }
  for await (const { member, value } of readJsonFile(path, options)) yield* requestRecords(member, value, origin)
  if (unreadable > 0) yield { kind: 'loss', what: `${tooLongLine}, or not JSON`, count: unreadable }
}

interface ListNames {
  readonly signal: Signal
  readonly scopes: string
  readonly items: string
}

const lists: Readonly<Record<string, ListNames>> = {
  resourceSpans: { signal: 'traces', scopes: 'scopeSpans', items: 'spans' },
  resourceLogs: { signal: 'logs', scopes: 'scopeLogs', items: 'logRecords' },
  resourceMetrics: { signal: 'metrics', scopes: 'scopeMetrics', items: 'metrics' },
}

/** The records of a resource in the list `member`, or of a whole export. */
function* requestRecords(member: string | undefined, value: unknown, origin: Origin): Generator<ImportRecord> {
  const names = lists[member ?? '']
  if (names !== undefined) return yield* groupRecords(names, value, origin)
  const found = isJsonObject(value) ? Object.keys(value).filter((name) => lists[name] !== undefined) : []
  for (const name of found) {
    const groups = (value as Record<string, unknown>)[name]
    for (const group of Array.isArray(groups) ? groups : []) yield* groupRecords(lists[name]!, group, origin)
  }
  if (found.length === 0) yield { kind: 'loss', what: 'values that are no exports of traces, logs or metrics' }
}

function* groupRecords(names: ListNames, group: unknown, origin: Origin): Generator<ImportRecord> {
  if (!isJsonObject(group)) return
  const resource = isJsonObject(group['resource']) ? group['resource'] : {}
  const scopes = group[names.scopes]
  for (const scoped of Array.isArray(scopes) ? scopes : []) {
    if (!isJsonObject(scoped)) continue
    const scope = isJsonObject(scoped['scope']) ? scoped['scope'] : {}
    const items = scoped[names.items]
    for (const item of Array.isArray(items) ? items : []) {
      if (!isJsonObject(item)) continue
      const { signal } = names
      yield { kind: 'telemetry', signal, resource, scope, item: signal === 'traces' ? marked(item, origin) : item }
    }
  }
}

/** A span with its origin. */
const marked = (span: OtlpJson, origin: Origin): OtlpJson => {
  const { attributes } = span
  return { ...span, attributes: [...(Array.isArray(attributes) ? attributes : []), ...originAttributes(origin)] }
}
