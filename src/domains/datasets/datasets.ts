import type { Store } from '../../engine/store.ts'
import { parseObject } from '../../formats/wire/exact-json.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { Gate } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import { datasetLimits } from '../../lib/limits/datasets.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import { writeChunks } from '../../runtime/platform/files/file-chunks.ts'
import { fileBytes, removeFile } from '../../runtime/platform/files/files.ts'
import { dirName } from '../../runtime/platform/files/paths.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'
import type { ObjectBuilder } from '../objects/index.ts'
import { columnsOf } from './columns.ts'
import { DatasetVersions } from './dataset-versions.ts'
import { type DigestChunks, diffRows, type RowDiff } from './diff-rows.ts'
import { csvOf, jsonLinesOf, parquetOf, type Rows } from './export-file.ts'
import { prepareRows, refuseIfLeft, untilLeft } from './import-file.ts'
import { inspectFile } from './inspect-file.ts'
import type {
  DiffRequest,
  ExportRequest,
  Format,
  ImportOptions,
  ImportReceipt,
  Inspection,
  ReadOptions,
  RowOfCall,
} from './model/datasets.ts'
import type { ReceivedFile } from './reading/text-file.ts'
import type { RowChange } from './row-changes.ts'
import { rowsOfCall } from './rows-of-call.ts'

/** A version named by a request. */
interface NamedVersion {
  readonly object_id: string
  readonly digest: string
}

/** Datasets as files: read, written and compared. */
export class Datasets {
  private readonly store: Store
  readonly builder: ObjectBuilder
  readonly versions: DatasetVersions
  private readonly files = new Gate({ max: datasetLimits.filesAtOnce, waitingMax: requestLimits.bodiesWaitingMax })
  private readonly diffs = new BoundedMap<string, RowDiff>(datasetLimits.diffsKept)

  constructor({ store, builder }: { store: Store; builder: ObjectBuilder }) {
    this.store = store
    this.builder = builder
    this.versions = new DatasetVersions(builder)
  }

  /** Receives a file into the temporary folder. Call `discard` at the end. */
  async receive(pieces: AsyncIterable<Uint8Array>): Promise<ReceivedFile> {
    const { store } = this
    store.refuseContentIfShort()
    const path = store.temporaryFile('import')
    const checked = async function* () {
      for await (const piece of pieces) {
        store.refuseContentIfShort()
        yield piece
      }
    }
    await writeChunks(path, checked())
    return { path, bytes: await fileBytes(path) }
  }

  async discard({ path }: ReceivedFile): Promise<void> {
    await removeFile(path)
  }

  private readonly temporaryFile = (ending: string): string => this.store.temporaryFile(ending)

  private get temporaryFolder(): string {
    return dirName(this.store.temporaryFile('none'))
  }

  /** How a file would be read. */
  async inspect(file: ReceivedFile, fileName: string, options: ReadOptions, signal: AbortSignal): Promise<Inspection> {
    const { temporaryFolder } = this
    return await this.files.run(1, signal, () => inspectFile(file, fileName, { options, temporaryFolder }))
  }

  /**
   * Stores the rows of a file as a version, or nothing.
   *
   * @throws DomainError InvalidRows with the faults of the file; VersionConflict, InvalidField,
   *   InvalidRequest, NotFound, RequestCancelled
   */
  async import(
    writer: ProjectWriter,
    { file, fileName }: { readonly file: ReceivedFile; readonly fileName: string },
    options: ImportOptions,
    signal: AbortSignal,
  ): Promise<ImportReceipt> {
    const { name, expected_latest_digest: expectedLatest } = options
    const before = await this.versions.findLatest(writer, name)
    this.versions.checkName(name, before, expectedLatest)
    const base = options.mode === 'append' ? await this.baseOf(writer, options, before?.table) : undefined
    const prepared = await this.files.run(1, signal, () =>
      prepareRows(file, fileName, {
        writer,
        options,
        temporaryFile: this.temporaryFile,
        temporaryFolder: this.temporaryFolder,
        known: this.digestsOf(writer, options.equal_rows === 'skip' ? base : undefined),
        refuseIfShort: () => this.store.refuseContentIfShort(),
        signal,
      }),
    )
    try {
      const { tables } = this.builder
      const made = await tables.writer.createInBatches(writer, untilLeft(prepared.batches(), signal), base)
      refuseIfLeft(signal)
      const version = await this.versions.save(writer, {
        name,
        description: options.description,
        table: made.digest,
        before,
        expectedLatest,
      })
      return {
        ...version,
        rows: made.rowCount,
        added: prepared.rows,
        skipped: prepared.skipped,
        left_out: prepared.leftOut,
      }
    } finally {
      await prepared.remove()
    }
  }

  /** The table that an import continues; undefined for a dataset without versions. */
  private async baseOf(
    reader: ProjectReader,
    { name, base_digest }: ImportOptions,
    latest: string | undefined,
  ): Promise<string | undefined> {
    return base_digest == null ? latest : (await this.versions.read(reader, name, base_digest)).table
  }

  private async *digestsOf(reader: ProjectReader, table: string | undefined): AsyncGenerator<readonly string[]> {
    if (table !== undefined) yield* this.builder.tables.reader.digests(reader, table)
  }

  /** @throws DomainError NotFound, ObjectDeleted, InvalidRequest */
  private async rowsOf(reader: ProjectReader, named: NamedVersion, signal?: AbortSignal) {
    const { table, version } = await this.versions.read(reader, named.object_id, named.digest)
    const tables = this.builder.tables.reader
    if ((await tables.count(reader, table)) === undefined)
      throw new DomainError('NotFound', 'The rows of the dataset are not in the project')
    const rows: Rows = () => tables.stream(reader, { digest: table }, signal)
    return { rows, version }
  }

  /** Columns of a version: names, types, and what rows without a value have. */
  async columns(reader: ProjectReader, named: NamedVersion) {
    const { rows } = await this.rowsOf(reader, named)
    const found = await columnsOf(rows())
    return { rows: found.rows, columns: found.columns.map(({ name, type, empty }) => ({ name, type, empty })) }
  }

  /** Rows of the latest versions that were made from a call. */
  rowsOfCall(reader: ProjectReader, callId: string): Promise<RowOfCall[]> {
    return rowsOfCall(reader, callId, this)
  }

  /** A version as a file, and the name to save it under. */
  async export(
    reader: ProjectReader,
    request: ExportRequest,
    signal: AbortSignal,
  ): Promise<{ readonly fileName: string; readonly pieces: AsyncGenerator<Uint8Array> }> {
    const { rows, version } = await this.rowsOf(reader, request, signal)
    const fileName = `${version.object_id}-v${version.version_index}.${request.format}`
    return { fileName, pieces: await this.piecesOf(rows, request.format, signal) }
  }

  private async piecesOf(rows: Rows, format: Format, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
    if (format === 'jsonl') return jsonLinesOf(rows)
    if (format === 'csv') return csvOf(rows)
    const { temporaryFile, temporaryFolder } = this
    return await this.files.run(1, signal, () => parquetOf(rows, { temporaryFile, temporaryFolder, signal }))
  }

  /** Compares two versions of a dataset and returns a page of the rows that differ. */
  async diff(reader: ProjectReader, request: DiffRequest) {
    const { object_id, key } = request
    const from = await this.versions.read(reader, object_id, request.from_digest)
    const to = await this.versions.read(reader, object_id, request.to_digest)
    const [fromChunks, toChunks] = await Promise.all([
      this.chunksOf(reader, from.table),
      this.chunksOf(reader, to.table),
    ])
    const diff = await this.compared(reader, { from: from.table, to: to.table, fromChunks, toChunks, key })
    const page = diff.changes.page(request.kinds ?? ['added', 'removed', 'changed'], {
      offset: request.offset ?? 0,
      limit: request.limit ?? datasetLimits.diffPageDefault,
    })
    const { added, removed, changed, same } = diff
    return {
      from_digest: from.version.digest,
      to_digest: to.version.digest,
      from_rows: rowsIn(fromChunks),
      to_rows: rowsIn(toChunks),
      ...{ added, removed, changed, same },
      changes: await this.shown(reader, page, fromChunks, toChunks),
    }
  }

  private async compared(
    reader: ProjectReader,
    parts: {
      readonly from: string
      readonly to: string
      readonly fromChunks: DigestChunks
      readonly toChunks: DigestChunks
      readonly key: string | null | undefined
    },
  ): Promise<RowDiff> {
    const { from, to, fromChunks, toChunks, key } = parts
    const name = JSON.stringify([reader.projectId, from, to, key ?? null])
    const known = this.diffs.get(name)
    if (known !== undefined) return known
    const keysOf = key == null ? undefined : (digests: readonly string[]) => this.keysOf(reader, digests, key)
    const diff = await diffRows(fromChunks, toChunks, keysOf)
    if (diff.changes.count <= datasetLimits.diffKeptChangesMax) this.diffs.set(name, diff)
    return diff
  }

  private async chunksOf(reader: ProjectReader, table: string): Promise<DigestChunks> {
    const chunks: (readonly string[])[] = []
    let rows = 0
    for await (const chunk of this.builder.tables.reader.digests(reader, table)) {
      rows += chunk.length
      if (rows > datasetLimits.diffRowsMax) {
        const max = datasetLimits.diffRowsMax
        throw new DomainError('InvalidRequest', `Too many rows to compare: at most ${max} are allowed`)
      }
      chunks.push(chunk)
    }
    return chunks
  }

  /** Values of a column as JSON texts, by row digest. */
  private async keysOf(reader: ProjectReader, digests: readonly string[], key: string): Promise<Map<string, string>> {
    const keys = new Map<string, string>()
    for (let from = 0; from < digests.length; from += requestLimits.tableRowsTogether) {
      const some = digests.slice(from, from + requestLimits.tableRowsTogether)
      for (const [digest, text] of await this.builder.tables.reader.texts(reader, some)) {
        const row = parseObject(text)
        if (Object.hasOwn(row, key) && row[key] !== null) keys.set(digest, JSON.stringify(row[key]))
      }
    }
    return keys
  }

  private async shown(reader: ProjectReader, page: readonly RowChange[], from: DigestChunks, to: DigestChunks) {
    const digestAt = { from: placesIn(from), to: placesIn(to) }
    const named = page.map(({ kind, ...at }) => ({
      kind,
      ...at,
      fromDigest: at.from === -1 ? undefined : digestAt.from(at.from),
      toDigest: at.to === -1 ? undefined : digestAt.to(at.to),
    }))
    const digests = named.flatMap(({ fromDigest, toDigest }) =>
      [fromDigest, toDigest].filter((one) => one !== undefined),
    )
    const texts = await this.builder.tables.reader.texts(reader, [...new Set(digests)])
    const rowOf = (digest: string | undefined) => (digest === undefined ? null : parseObject(valueAt(texts, digest)))
    return named.map(({ kind, from: fromIndex, to: toIndex, fromDigest, toDigest }) => ({
      kind,
      from_index: fromIndex === -1 ? null : fromIndex,
      from_row_digest: fromDigest ?? null,
      from_row: rowOf(fromDigest),
      to_index: toIndex === -1 ? null : toIndex,
      to_row_digest: toDigest ?? null,
      to_row: rowOf(toDigest),
    }))
  }
}

const rowsIn = (chunks: DigestChunks): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)

/** The digest at a position. */
function placesIn(chunks: DigestChunks): (index: number) => string {
  const starts: number[] = []
  let start = 0
  for (const chunk of chunks) {
    starts.push(start)
    start += chunk.length
  }
  return (index) => {
    const at = starts.findLastIndex((first) => first <= index)
    return itemAt(itemAt(chunks, at), index - itemAt(starts, at))
  }
}
