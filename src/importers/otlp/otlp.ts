import {
  mergedMessages,
  protobufAttribute,
  protobufFields,
  protobufMessage,
} from '../../formats/wire/protobuf-message.ts'
import { concatBytes, MiB } from '../../lib/bytes.ts'
import { isJsonObject } from '../../lib/json-value.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { decompressed, listInputFiles, readDecompressed } from '../../runtime/platform/files/input-files.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import type { ImportRecord, OtlpJson, Signal } from '../record.ts'
import { type Origin, originAttributes, originEntries, type Source } from '../source.ts'

/**
 * How messages are delimited: by their length in four bytes, the highest first, as the collector's
 * file exporter does; or by a varint, as protobuf libraries do.
 */
type Prefix = 'four bytes' | 'varint'

/** Whether a file begins with the length of a message rather than with JSON. */
async function isPrefixed(file: string): Promise<boolean> {
  return (await prefixOf(file)) !== undefined
}

/**
 * The messages of a length-prefixed file, one at a time: bytes of protobuf, or texts of JSON. Each
 * may be compressed with zstd by itself.
 *
 * @throws Error if the file is damaged
 */
async function* readPrefixed(file: string): AsyncGenerator<Uint8Array | string> {
  const prefix = (await prefixOf(file)) ?? 'four bytes'
  let rest: Uint8Array = new Uint8Array()
  let wanted = 0
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of readDecompressed(file)) {
    pieces.push(piece)
    bytes += piece.byteLength
    // Joining all pieces for every piece would take quadratic time for a long message.
    if (bytes < wanted) continue
    rest = concatBytes(pieces.splice(0))
    for (;;) {
      const header = headerOf(rest, prefix)
      wanted = header === undefined ? rest.byteLength + 1 : header.bytes + header.length
      if (header !== undefined && header.length > toolLimits.importLineBytesMax) {
        throw new Error(
          `a message exceeds the limit of ${toolLimits.importLineBytesMax / MiB} MiB, or the file is damaged`,
        )
      }
      if (header === undefined || rest.byteLength < wanted) break
      yield await content(rest.subarray(header.bytes, wanted))
      rest = rest.slice(wanted)
    }
    pieces.push(rest)
    bytes = rest.byteLength
  }
  if (bytes > 0) throw new Error('the file ends in the middle of a message')
}

async function content(message: Uint8Array): Promise<Uint8Array | string> {
  const bytes = await decompressed(message, toolLimits.importLineBytesMax)
  return bytes[0] === '{'.charCodeAt(0) ? new TextDecoder().decode(bytes) : bytes
}

async function prefixOf(file: string): Promise<Prefix | undefined> {
  for await (const piece of readDecompressed(file)) {
    const first = piece[0]
    // No message is so long that its length begins with another byte.
    if (first === 0) return 'four bytes'
    // JSON begins with a bracket, white space or a byte order mark.
    return first !== undefined && [9, 10, 13, 32, 0x5b, 0x7b, 0xef].includes(first) ? undefined : 'varint'
  }
  return undefined
}

function headerOf(bytes: Uint8Array, prefix: Prefix): { readonly bytes: number; readonly length: number } | undefined {
  if (prefix === 'four bytes') {
    if (bytes.byteLength < 4) return undefined
    return { bytes: 4, length: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) }
  }
  let length = 0
  for (const [at, byte] of bytes.subarray(0, 5).entries()) {
    length += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return { bytes: at + 1, length }
  }
  return undefined
}

const attributesOfSpan = 9

/**
 * The spans, log records or metrics of an export in protobuf. The levels above them have the same
 * field numbers in all signals (https://opentelemetry.io/docs/specs/otlp/).
 *
 * @throws Error if it is damaged
 */
function* protobufRecords(message: Uint8Array, origin: Origin): Generator<ImportRecord> {
  const mark = protobufMessage(
    originEntries(origin).map(([name, text]) => [attributesOfSpan, protobufAttribute(name, text)]),
  )
  for (const group of protobufFields(message)) {
    if (group.number !== 1) continue
    const fields = [...protobufFields(group.bytes)]
    const resource = fields.find(({ number }) => number === 1)?.bytes ?? new Uint8Array()
    for (const scoped of fields) {
      if (scoped.number !== 2) continue
      const members = [...protobufFields(scoped.bytes)]
      const scope = members.find(({ number }) => number === 1)?.bytes ?? new Uint8Array()
      for (const { number, bytes } of members) {
        if (number !== 2) continue
        const signal = signalOf(bytes)
        const item = signal === 'traces' ? mergedMessages(bytes, mark) : bytes
        yield { kind: 'protobuf', signal, resource, scope, item }
      }
    }
  }
}

/**
 * A span begins with its ids; a log record contains its time in field 1 or 11, eight bytes wide; a
 * metric begins with its name.
 */
function signalOf(item: Uint8Array): Signal {
  for (const { number, wireType, bytes } of protobufFields(item)) {
    if (wireType === 1 && (number === 1 || number === 11)) return 'logs'
    if (number === 1) return bytes.byteLength === 16 && isSpan(item) ? 'traces' : 'metrics'
  }
  return 'logs'
}

const isSpan = (item: Uint8Array): boolean =>
  protobufFields(item).some(({ number, bytes }) => number === 2 && bytes.byteLength === 8)

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
  let hasLists = false
  for (const [name, groups] of Object.entries(isJsonObject(value) ? value : {})) {
    const list = lists[name]
    if (list === undefined) continue
    hasLists = true
    for (const group of Array.isArray(groups) ? groups : []) yield* groupRecords(list, group, origin)
  }
  if (!hasLists) yield { kind: 'loss', what: 'values that are not exports of traces, logs or metrics' }
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
