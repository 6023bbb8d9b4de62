import { isJsonObject } from '../../lib/json-value.ts'
import { listInputFiles } from '../../runtime/platform/files/input-files.ts'
import { readJsonFile } from '../input/json-file.ts'
import { tooLongLine } from '../input/lines.ts'
import type { ImportRecord } from '../record.ts'
import type { Origin, Source } from '../source.ts'
import { jaegerSpan, resourceOf } from './jaeger-span.ts'

/** Traces as Jaeger's UI downloads them and its API returns them. */
export const jaeger: Source = {
  name: 'jaeger',
  summary: 'traces that were downloaded from Jaeger as JSON; also with gzip or zstd',
  async *parts({ place, select }) {
    for await (const file of listInputFiles(place, (name) => /\.jsonl?(?:\.(?:gz|zst))?$/.test(name))) {
      if (select !== undefined && !file.name.includes(select)) continue
      const origin = { source: 'jaeger', version: 'json', file: file.name }
      yield {
        name: file.name,
        version: `${file.bytes}-${file.modifiedMs}`,
        records: () => recordsOf(file.path, origin),
      }
    }
  },
}

async function* recordsOf(path: string, origin: Origin): AsyncGenerator<ImportRecord> {
  let unreadable = 0
  const options = { lists: ['data'], onUnreadable: () => unreadable++ }
  for await (const { member, value } of readJsonFile(path, options)) {
    // Beside the traces, a document has their number and a list of errors.
    if (member !== undefined && member !== 'data') continue
    if (isJsonObject(value) && Array.isArray(value['spans'])) yield* traceRecords(value, value['spans'], origin)
    else yield { kind: 'loss', what: 'values that are no traces of Jaeger' }
  }
  if (unreadable > 0) yield { kind: 'loss', what: `${tooLongLine}, or not JSON`, count: unreadable }
}

function* traceRecords(
  trace: Record<string, unknown>,
  spans: readonly unknown[],
  origin: Origin,
): Generator<ImportRecord> {
  const processes = isJsonObject(trace['processes']) ? trace['processes'] : {}
  const resources = new Map(Object.entries(processes).map(([id, process]) => [id, resourceOf(process)]))
  for (const span of spans) {
    if (isJsonObject(span)) yield jaegerSpan(span, resources.get(String(span['processID'])), origin)
  }
}
