import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { endPart, type PartOptions, startPart } from '../../../src/domains/calls/parts.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { BatchCodec } from '../../../src/engine/wal/batch-codec.ts'
import type { CallBatchItem } from '../../../src/formats/schemas/calls.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import { memoryLimits } from '../../../src/lib/limits/memory.ts'
import { storageLimits } from '../../../src/lib/limits/storage.ts'
import { type Column, columnIndex, mergeInto, type Row, rowBytes } from '../../../src/lib/table.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import { AppendFile } from '../../../src/runtime/platform/files/append-file.ts'

const options: PartOptions = { redact: true, userId: 'bench', nowMs: 1_767_600_000_000, contents: undefined }
const idCell = columnIndex(callsTable, 'id')
const endedCell = columnIndex(callsTable, 'ended_at')
/** Seconds per step. `sync` mostly waits for the disk. */
export interface CeilingSeconds {
  readonly total: number
  readonly parse: number
  readonly rows: number
  readonly encode: number
  readonly sync: number
  readonly duckdb: number
}

const inFiles = (column: Column): boolean => column.storedIn !== 'wal'

/** The two steps from a body to rows, measured separately. */
export interface Intake<Parsed> {
  readonly parse: (body: Uint8Array) => Parsed
  readonly rows: (parsed: Parsed) => Row[]
}

/** Bodies of `/call/upsert_batch`. */
const batches: Intake<CallBatchItem[]> = {
  parse: (body) => (JSON.parse(decoder.decode(body)) as { batch: CallBatchItem[] }).batch,
  rows: rowsOf,
}
const decoder = new TextDecoder()

export const ingestCeiling = (bodies: readonly Uint8Array[], folder: string): Promise<CeilingSeconds> =>
  durableCeiling(bodies, batches, folder)

/**
 * The cost of ingesting the same bodies without HTTP, validation and concurrency, by calling the
 * product's own parts in sequence: parse, build rows, merge halves, encode for the log, append and
 * sync, append whole rows to DuckDB. Nothing is written to Parquet; the DuckDB table is dropped
 * where the store would flush it.
 */
export async function durableCeiling<Parsed>(
  bodies: readonly Uint8Array[],
  intake: Intake<Parsed>,
  folder: string,
): Promise<CeilingSeconds> {
  await mkdir(folder, { recursive: true })
  const database = await Database.open({ memoryBytesMax: 1024 * MiB, temporaryFolder: path.join(folder, 'tmp') })
  const hot = await HotTable.create(new Writer(await database.connect()))
  const codec = new BatchCodec(callsTable)
  const log = await AppendFile.create(path.join(folder, 'ceiling.arrows'))
  await log.appendDurably([codec.header])
  const watch = new Stopwatch()
  for (const body of bodies) {
    const parsed = intake.parse(body)
    watch.end('parse')
    const rows = intake.rows(parsed)
    watch.end('rows')
    const message = codec.encode(rows)
    watch.end('encode')
    await log.appendDurably([message])
    watch.end('sync')
    await hot.take(rows)
    watch.end('duckdb')
  }
  await hot.move()
  watch.end('duckdb')
  await log.close()
  hot.close()
  database.close()
  return watch.seconds
}

type Step = Exclude<keyof CeilingSeconds, 'total'>

class Stopwatch {
  readonly seconds = { total: 0, parse: 0, rows: 0, encode: 0, sync: 0, duckdb: 0 }
  private lastMs = performance.now()

  /** Adds the time since the last call to a step. */
  end(step: Step): void {
    const nowMs = performance.now()
    const seconds = (nowMs - this.lastMs) / 1000
    this.seconds[step] += seconds
    this.seconds.total += seconds
    this.lastMs = nowMs
  }
}

/** One row per call of a batch. */
function rowsOf(batch: readonly CallBatchItem[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { req } of batch) {
    const part =
      'end' in req
        ? endPart(req.end, req.end.project_id, options)
        : startPart(req.start, req.start.project_id, options).part
    const known = rows.get(part[idCell] as string)
    if (known === undefined) rows.set(part[idCell] as string, part)
    else mergeInto(known, part)
  }
  return [...rows.values()]
}

/**
 * Rows stay in memory until both halves have arrived and there are enough of them, then go to
 * DuckDB.
 */
class HotTable {
  private readonly writer: Writer
  private readonly waiting = new Map<string, Row>()
  private whole: Row[] = []
  private bytes = 0

  private constructor(writer: Writer) {
    this.writer = writer
  }

  static async create(writer: Writer): Promise<HotTable> {
    await writer.createTable('hot', callsTable.columns.filter(inFiles))
    return new HotTable(writer)
  }

  async take(rows: readonly Row[]): Promise<void> {
    for (const part of rows) {
      const id = part[idCell] as string
      const known = this.waiting.get(id)
      const row = known === undefined ? part : mergeInto(known, part)
      if (row[endedCell] === null) this.waiting.set(id, row)
      else {
        this.waiting.delete(id)
        this.whole.push(row)
        this.bytes += rowBytes(row)
      }
    }
    if (this.whole.length >= storageLimits.dirtyRowsMax || this.bytes > memoryLimits.memtableBytesMax) await this.move()
  }

  async move(): Promise<void> {
    for (const row of this.whole) callsTable.derive(row)
    await this.writer.append('hot', callsTable.columns, this.whole, inFiles)
    this.whole = []
    if (this.bytes < memoryLimits.memtableBytesMax) return
    this.bytes = 0
    await this.writer.dropTable('hot')
    await this.writer.createTable('hot', callsTable.columns.filter(inFiles))
  }

  close(): void {
    this.writer.close()
  }
}
