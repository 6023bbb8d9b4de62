import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, link, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SeededRandom } from '../../../src/demo/traces/seeded-random.ts'
import type { DataFile } from '../../../src/engine/data-files/data-file.ts'
import { newFileName } from '../../../src/engine/data-files/file-names.ts'
import { writeDataFile } from '../../../src/engine/data-files/write-data-file.ts'
import { writeIndexFile } from '../../../src/engine/data-files/write-index-file.ts'
import { DeltaLog } from '../../../src/engine/delta/delta-log.ts'
import { findSections, readSection } from '../../../src/engine/index-file/index-file.ts'
import { type Section, sectionVersions } from '../../../src/engine/index-file/index-file-format.ts'
import { BloomFilter, KeyHashCollector } from '../../../src/engine/keys/bloom-filter.ts'
import { bytesOfKeys } from '../../../src/engine/keys/key-file.ts'
import { TableLayout } from '../../../src/engine/layout.ts'
import { tableActions } from '../../../src/engine/table/table-actions.ts'
import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { MiB } from '../../../src/lib/bytes.ts'
import type { Table } from '../../../src/lib/table.ts'
import { duckTypes } from '../../../src/runtime/duck/column-types.ts'
import { Database } from '../../../src/runtime/duck/database.ts'
import { Writer } from '../../../src/runtime/duck/writer.ts'
import { ensureFolder } from '../../../src/runtime/platform/files/files.ts'
import type { BenchRun } from '../bench-run.ts'
import { project } from '../payload/calls.ts'
import { wordSalad } from '../payload/word-salad.ts'

/** Large stores are kept here between runs: creating one takes minutes. */
const keptFolder = path.join(tmpdir(), 'tracelake-large')

/**
 * A writable data folder with a store of that shape: a hard-linked copy of one that is kept in the
 * system's temporary folder, and created if necessary.
 */
export async function copyOfLargeStore(bench: BenchRun, shape: LargeShape): Promise<string> {
  const { files, rowsPerFile, proseChars, days, otherProjectEvery } = shape
  const parent = bench.isTiny ? bench.newFolder('large') : keptFolder
  const kinds = [days && `-${days}-days`, otherProjectEvery && '-two-projects'].filter(Boolean).join('')
  const kept = path.join(parent, `calls-${files}x${rowsPerFile}x${proseChars}${kinds}`)
  const mark = path.join(kept, 'complete')
  if (!existsSync(mark)) {
    bench.note(`writing ${files} files of ${rowsPerFile} calls to ${kept}, where they stay for later runs`)
    await rm(kept, { recursive: true, force: true })
    await writeMadeUpFiles(kept, shape)
    await writeFile(mark, '')
  }
  const copy = `${kept}-copy-${process.pid}`
  await copyByLinks(kept, copy)
  return copy
}

/** Data files and index files are immutable, so links suffice. */
export async function copyByLinks(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyByLinks(source, target)
    else if (/\.(parquet|index|group|filter|keys|texts|values|rollup)$/.test(entry.name)) await link(source, target)
    else await cp(source, target)
  }
}

/**
 * Size of the key index of the calls in a data folder: files beside the data files, and group
 * filters.
 */
export async function indexBytes(data: string): Promise<{ keys: number; groups: number }> {
  const folder = path.join(data, 'tables/calls/_filters')
  const bytes = { keys: 0, groups: 0 }
  for (const name of await readdir(folder)) {
    const { size } = Bun.file(path.join(folder, name))
    if (name.endsWith('.index')) bytes.keys += (await findSections(path.join(folder, name)))?.get('keys')?.bytes ?? 0
    if (name.endsWith('.group')) bytes.groups += size
  }
  return bytes
}

/** The contents of a large store. */
export interface LargeShape {
  readonly files: number
  readonly rowsPerFile: number
  /** Prose per call; the rest of it takes some 450 bytes. */
  readonly proseChars: number
  /** Spreads the calls over this many days, with latencies from 50 ms to 20 s; see `stepMicros`. */
  readonly days?: number
  /**
   * Whether all files are links to one file, each with an index of other keys. For measurements
   * that depend only on the number of files and their keys; the rows in such a store are
   * meaningless.
   */
  readonly isSimulated?: true
  /** Gives every n-th call to `otherProject`, so that each file has calls of both projects. */
  readonly otherProjectEvery?: number
  /** All ids, also of traces, are UUIDv7. */
  readonly areIdsTimed?: true
}

/** Project of the calls that `otherProjectEvery` sets apart. */
export const otherProject = 'bench/other'

/** The building blocks of call texts: enough of them that a row group rarely repeats one. */
const textCount = ({ proseChars }: LargeShape): number => Math.min(20_000, Math.ceil(60e6 / proseChars))

/**
 * Writes a table of finished calls into a data folder with the store's own file writer and a single
 * Delta commit, bypassing server, requests and write-ahead log: about ten times as fast. Every
 * other id is a UUIDv7; the others are random 16-digit ids, as spans have.
 */
async function writeMadeUpFiles(dataFolder: string, shape: LargeShape): Promise<void> {
  const table = callsTable
  const layout = new TableLayout(dataFolder, table.name)
  for (const folder of [layout.folder, layout.wal, layout.filters, layout.unfinished]) await ensureFolder(folder)
  const database = await Database.open({ memoryBytesMax: 1024 * MiB, temporaryFolder: `${dataFolder}/tmp` })
  const writer = new Writer(await database.connect())
  try {
    await makeProse(writer, shape)
    const segments: DataFile[] = []
    for (let file = 0; file < shape.files; file++) {
      const like = shape.isSimulated && segments[0]
      segments.push(like ? await linkFile(layout, like) : await makeUpFile(writer, table, layout, shape, file))
    }
    const deltaLog = await DeltaLog.open(writer, layout.deltaLog)
    await deltaLog.clean()
    await deltaLog.tryCommit([...tableActions(table, 0, undefined), ...segments.map(({ add }) => ({ add }))])
  } finally {
    writer.close()
    database.close()
  }
}

export async function makeProse(writer: Writer, shape: LargeShape): Promise<void> {
  const random = new SeededRandom(1)
  const columns = [{ name: 'text', type: 'text', description: '', storedIn: 'everywhere' }] as const
  const rows = Array.from({ length: textCount(shape) }, () => [
    JSON.stringify(wordSalad(random, (shape.proseChars / 2) * (0.4 + random.fraction() * 1.2))),
  ])
  await writer.createTable('prose_texts', columns)
  await writer.append('prose_texts', columns, rows)
  await writer.execute('CREATE OR REPLACE TABLE prose AS SELECT list(text) AS texts FROM prose_texts')
}

/** Writes one of the files of a large store: `file` counts from 0. Call `makeProse` before. */
export async function makeUpFile(
  writer: Writer,
  table: Table,
  layout: TableLayout,
  shape: LargeShape,
  file: number,
): Promise<DataFile> {
  const { rowsPerFile } = shape
  await writer.execute(
    `CREATE OR REPLACE TABLE made_up AS ${madeUpCalls(shape, file * rowsPerFile)} ORDER BY project_id, started_at`,
  )
  const segment = await writeDataFile({ writer, table, layout, source: '"made_up" t', nowMs: 0 })
  if (segment === undefined) throw new Error(`Write the made-up file ${file}: it has no rows`)
  return segment
}

async function linkFile(layout: TableLayout, like: DataFile): Promise<DataFile> {
  const fileName = await linkWithOtherKeys(layout, like.fileName, like.rows)
  return { ...like, fileName, add: { ...like.add, path: fileName } }
}

/**
 * Links a data file under another name, with an index of random keys, and a tenth as many other
 * values, none of which is in the rows.
 */
export async function linkWithOtherKeys(layout: TableLayout, like: string, rows: number): Promise<string> {
  const fileName = newFileName()
  await link(layout.parquet(like), layout.parquet(fileName))
  const [keys, hashes] = [new KeyHashCollector(), new KeyHashCollector()]
  const filter = BloomFilter.withCapacity(rows * 1.1)
  const words = new Uint32Array(16_384)
  for (let value = 0; value < rows * 1.1; value++) {
    if (value % 8192 === 0) crypto.getRandomValues(words)
    const hash = { a: words[(value % 8192) * 2]!, b: (words[(value % 8192) * 2 + 1]! | 1) >>> 0 }
    ;(value < rows ? keys : hashes).add(hash)
    filter.add(hash)
  }
  const contents = { bloom: filter.toBytes(), keys: bytesOfKeys(keys.sorted()), hashes: bytesOfKeys(hashes.sorted()) }
  const names = ['bloom', 'keys', 'hashes'] as const
  const sections: Section[] = names.map((name) => ({ name, version: sectionVersions[name], content: contents[name] }))
  // What is of the rows, and not of their keys, is true.
  for (const name of ['rollup', 'texts', 'values'] as const) {
    const place = (await findSections(layout.index(like)))?.get(name)
    const content = place && (await readSection(place))
    if (content !== undefined) sections.push({ name, version: sectionVersions[name], content })
  }
  await writeIndexFile(layout, fileName, sections)
  return fileName
}

/** Start of the first call, in microseconds, and the time between the starts of neighbours. */
export const firstMicros = 1_767_600_000_000_000
export const stepMicros = 3_700

/** A word that one call in 250,000 holds, and no other text. */
export const rareWord = 'Quixotically'

const digits = (text: string): string => createHash('md5').update(text).digest('hex')

/** Trace of a made-up call. */
export const madeUpTrace = (call: number): string => digits(`trace ${Math.floor(call / 10)}`)

/** Id of a made-up call: random for even numbers, a UUIDv7 for odd ones. */
export function madeUpId(call: number): string {
  const random = digits(`call ${call}`)
  return call % 2 === 0 ? random.slice(16) : timedIdOf(call, random)
}

/** The same if the ids are timed (`areIdsTimed`). */
export const timedCall = (call: number): string => timedIdOf(call, digits(`call ${call}`))
export const timedTrace = (call: number): string =>
  timedIdOf(Math.floor(call / 10) * 10, digits(`trace ${Math.floor(call / 10)}`))

function timedIdOf(call: number, random: string): string {
  const ms = Math.floor((firstMicros + call * stepMicros) / 1000)
    .toString(16)
    .padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}

/** Time between the starts of neighbours in a store of that shape, in microseconds. */
export const stepOf = ({ days, files, rowsPerFile }: LargeShape): number =>
  days === undefined ? stepMicros : Math.floor((days * 86_400_000_000) / (files * rowsPerFile))

function madeUpCalls(shape: LargeShape, first: number): string {
  const { rowsPerFile: count, otherProjectEvery: every } = shape
  const isSpread = shape.days !== undefined
  const latency = isSpread ? 'exp(3.9 + (hash(i, 12) % 1000000)::DOUBLE / 1000000 * 6)::BIGINT' : '900'
  const prose = (salt: number) => `texts[1 + (hash(i, ${salt}) % ${textCount(shape)})::INTEGER]`
  const model = `['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', 'llama-3.3-70b'][1 + (hash(i, 8) % 5)::INTEGER]`
  const output = `CASE WHEN i % 250000 = 7 THEN '"${rareWord} ' || substr(${prose(2)}, 2) ELSE ${prose(2)} END`
  const made: Record<string, string> = {
    project_id:
      every === undefined ? `'${project}'` : `CASE WHEN i % ${every} = 0 THEN '${otherProject}' ELSE '${project}' END`,
    id: 'id',
    trace_id: shape.areIdsTimed
      ? timedId(`${firstMicros} + (i // 10) * 10 * ${stepOf(shape)}`, `md5('trace ' || (i // 10))`)
      : `md5('trace ' || (i // 10))`,
    thread_id: `'thread-' || (i // 400)`,
    turn_id: `CASE WHEN i % 10 = 0 THEN id END`,
    op_name: `'ext:///${project}/op/' || ['answer', 'retrieve', 'rerank', 'plan'][1 + i % 4] || ':vJ3pTq0wX8nZcR5yLmKd7hGfSaUeBiOx2QtN4r6MzFk'`,
    started_at: 'make_timestamptz(micros)',
    ended_at: `make_timestamptz(micros + 1000 * ${latency})`,
    ...(isSpread && { parent_id: `CASE WHEN i % 10 <> 0 THEN 'parent' END` }),
    attributes: `'{"environment":"' || ['prod', 'prod', 'prod', 'staging'][1 + (hash(i, 4) % 4)::INTEGER] || '","release":"2026.' || (i % 60) || '","customer":"customer-' || (hash(i, 5) % 50000) || '"}'`,
    inputs: `'{"model":"' || ${model} || '","temperature":' || (hash(i, 6) % 11) / 10 || ',"messages":[{"role":"user","content":' || ${prose(1)} || '}],"options":{"seed":' || (hash(i, 3) % 1000000000) || '}}'`,
    output: `'{"message":{"role":"assistant","content":' || ${output} || '},"score":' || (hash(i, 7) % 1000) / 1000 || '}'`,
    summary: `'{"usage":{"' || ${model} || '":{"requests":1,"prompt_tokens":120,"completion_tokens":' || (i % 500) || '}}}'`,
    written_at: 'make_timestamptz(micros + 900000)',
    status: isSpread ? `CASE WHEN hash(i, 11) % 20 = 0 THEN 'error' ELSE 'success' END` : `'success'`,
    latency_ms: latency,
    trace_name: `['answer', 'retrieve', 'rerank', 'plan'][1 + i % 4]`,
    payload_bytes: '800',
    usage_model: model,
    input_tokens: '120',
    output_tokens: 'i % 500',
    usage_requests: '1',
  }
  const cells = callsTable.columns
    .filter(({ storedIn }) => storedIn !== 'wal')
    .map(({ name, type }) => `CAST(${made[name] ?? 'NULL'} AS ${duckTypes[type]}) AS "${name}"`)
  return `SELECT ${cells.join(', ')} FROM (
    SELECT i, micros, texts, digits,
      ${shape.areIdsTimed ? timedId('micros') : `CASE WHEN i % 2 = 0 THEN substr(digits, 17) ELSE ${timedId('micros')} END`} AS id
    FROM (SELECT i, ${firstMicros} + i * ${stepOf(shape)} AS micros, md5('call ' || i) AS digits FROM range(${first}, ${first + count}) r(i)), prose
  )`
}

/** SQL for a UUIDv7 of a time in microseconds, with hexadecimal digits as its random part. */
const timedId = (micros: string, digits = 'digits'): string =>
  `format('{:08x}-{:04x}-7{}-8{}-{}', (((${micros}) // 1000) // 65536)::BIGINT, (((${micros}) // 1000) % 65536)::BIGINT,
    substr(${digits}, 1, 3), substr(${digits}, 4, 3), substr(${digits}, 7, 12))`
