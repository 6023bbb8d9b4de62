import type { StoredBlob } from '../../engine/blobs/blob-place.ts'
import type { BlobStore, ReceivedBlob } from '../../engine/blobs/blob-store.ts'
import type { Store } from '../../engine/store.ts'
import { filesTable } from '../../engine/tables/files-table.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Row } from '../../lib/table.ts'
import { compileKeysAnywhere, compileLookup, compileSum } from '../../query/sql/lookup.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import type { ProjectReader, ProjectWriter } from '../access/index.ts'

export const unnamedFile = '<unnamed_file>'

/** A received blob that is to become a file of a project. */
export interface NewFile {
  readonly blob: ReceivedBlob
  readonly name: string
}

/** Files of projects, by digest. */
export class Files {
  private readonly store: Store
  private readonly blobs: BlobStore
  private readonly clock: Clock

  constructor(options: { store: Store; blobs: BlobStore; clock: Clock }) {
    this.store = options.store
    this.blobs = options.blobs
    this.clock = options.clock
  }

  /** Receives a content as a stream. Call `create` to store it or `discard` to drop it. */
  receive(pieces: AsyncIterable<Uint8Array>): Promise<ReceivedBlob> {
    return this.blobs.receive(pieces)
  }

  discard(blob: ReceivedBlob): Promise<void> {
    return this.blobs.discard(blob)
  }

  /**
   * Stores received blobs as files of a project; durable and visible when this returns. Bytes
   * first, then the rows that refer to them.
   */
  async create(writer: ProjectWriter, files: readonly NewFile[]): Promise<void> {
    for (const { blob } of files) await this.blobs.commit(blob)
    const byDigest = new Map(files.map((file) => [file.blob.digest, file]))
    const known = new Set(await this.existing(writer, [...byDigest.keys()]))
    const rows = [...byDigest.values()]
      .filter(({ blob }) => !known.has(blob.digest))
      .map((file) => this.row(writer, file))
    if (rows.length > 0) await this.store.write(filesTable.name, rows)
  }

  /** Like `create`, for content in memory. */
  async createFromBytes(
    writer: ProjectWriter,
    contents: readonly { readonly digest: string; readonly bytes: Uint8Array; readonly name: string }[],
  ): Promise<void> {
    const known = new Set(await this.existing(writer, [...new Set(contents.map(({ digest }) => digest))]))
    const files: NewFile[] = []
    try {
      for (const { digest, bytes, name } of contents) {
        if (known.has(digest)) continue
        known.add(digest)
        files.push({ blob: await this.receive(onePiece(bytes)), name })
      }
      if (files.length > 0) await this.create(writer, files)
    } finally {
      for (const { blob } of files) await this.discard(blob)
    }
  }

  /** The content of a file of the project. @throws DomainError NotFound */
  async locate(reader: ProjectReader, digest: string): Promise<StoredBlob> {
    const [known] = await this.existing(reader, [digest])
    if (known === undefined) {
      throw new DomainError('NotFound', `The file ${quoted(digest)} does not exist in the project`)
    }
    return await this.contentOf(digest)
  }

  /** The content of a digest that is known to be a file. */
  async contentOf(digest: string): Promise<StoredBlob> {
    const file = await this.blobs.find(digest)
    if (file === undefined) throw new Error(`The blob of file ${digest} is missing`)
    return file
  }

  /** Total size of the files of the project. */
  async totalBytes(reader: ProjectReader): Promise<number> {
    const { projectId } = reader
    return await this.store.read([filesTable.name], { projectId }, async (snapshot) => {
      const relation = snapshot.relation(filesTable.name)
      const sql = compileSum({ relation, projectId }, 'size_bytes')
      return itemAt(await snapshot.rows(sql), 0).sum
    })
  }

  /** The subset of the digests that are files of the project. */
  async existing({ projectId }: ProjectReader, digests: readonly string[]): Promise<string[]> {
    if (digests.length === 0) return []
    return await this.store.read([filesTable.name], { projectId }, async (snapshot) => {
      const relation = snapshot.relation(filesTable.name, { digest: digests })
      const { columns, read } = filesTable.select('digest')
      const sql = compileLookup({ relation, projectId }, { columns, keyColumn: 'digest', keys: digests })
      return (await snapshot.rows(sql)).map((cells) => read(cells).digest)
    })
  }

  /**
   * Deletes blobs that no project refers to and that were last uploaded before a time
   * (milliseconds); returns their number.
   */
  async sweep(beforeMs: number, signal: AbortSignal): Promise<number> {
    const named = async (digests: readonly string[]): Promise<ReadonlySet<string>> => {
      return await this.store.readForMaintenance([filesTable.name], signal, async (snapshot) => {
        const sql = compileKeysAnywhere(snapshot.unrestrictedRelation(filesTable.name), 'digest', digests)
        const rows = await snapshot.rows(sql)
        return new Set(rows.map(({ key }) => key))
      })
    }
    return await this.blobs.sweep(beforeMs, named, signal)
  }

  private row({ projectId, userId }: ProjectWriter, { blob, name }: NewFile): Row {
    return filesTable.row({
      project_id: projectId,
      digest: blob.digest,
      name: name.slice(0, requestLimits.fileNameCharsMax).toWellFormed(),
      size_bytes: blob.bytes,
      ext_user_id: userId,
      created_at: this.clock.nowMs() * 1000,
    })
  }
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** File timestamps may lag behind the clock. */
const clockToleranceMs = 1000

/**
 * Deletes unreferenced blobs: at startup those left behind by an earlier run, then those that have
 * reached a minimum age.
 */
export function startBlobSweep(files: Files, clock: Clock, log: Log): { stop(): Promise<void> } {
  const abort = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const sweep = (beforeMs: number) => {
    running = files.sweep(beforeMs, abort.signal).then(
      (removed) => {
        if (removed > 0) log.info({ removed }, 'deleted unreferenced blobs')
      },
      (err: unknown) => {
        if (!abort.signal.aborted) log.error({ err }, 'blob garbage collection failed; it will be retried')
      },
    )
  }
  // No upload is in progress yet, so unreferenced blobs will stay unreferenced.
  sweep(clock.nowMs() - clockToleranceMs)
  const timer = setInterval(() => sweep(clock.nowMs() - storageLimits.blobGraceMs), storageLimits.blobSweepMs)
  return {
    stop: async () => {
      clearInterval(timer)
      abort.abort()
      await running
    },
  }
}
