import { isJsonObject, mergeObjects } from '../../lib/json-value.ts'
import { limits } from '../../lib/limits.ts'
import { readFileRows } from '../../runtime/duck/read-file.ts'
import { type InputFile, listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { temporaryFolder } from '../../runtime/platform/files/paths.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import type { ImportRecord } from '../record.ts'
import type { Origin, Source } from '../source.ts'
import { langfuseApiParts } from './api.ts'
import { langfuseRecords } from './records.ts'

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
    const options = { memoryBytesMax: limits.importMemoryBytesMax, temporaryFolder: temporaryFolder() }
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
