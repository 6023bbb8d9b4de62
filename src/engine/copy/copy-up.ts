import { forEachConcurrent } from '../../lib/concurrency.ts'
import { copyLimits, objectLimits } from '../../lib/limits/objects.ts'
import { Database } from '../../runtime/duck/database.ts'
import { Writer } from '../../runtime/duck/writer.ts'
import { type ObjectInfo, type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { isSameContent } from '../../runtime/objects/same-content.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { acquireLock, findServerAddress, refuseUnfinishedBackup } from '../folder/locked-folder.ts'
import { DataFolderError, temporaryFolder } from '../layout.ts'
import { putMarker, requireTarget } from './copy-marker.ts'
import { type FileToCopy, type FolderSnapshot, readSnapshot, type SnapshotOptions } from './folder-snapshot.ts'

export interface CopyOptions {
  readonly dataFolder: string
  readonly store: ObjectStore
  /** Changes nothing, and counts what would be done. */
  readonly isDryRun: boolean
  readonly onProgress: (what: string, done: number, of?: number) => void
}

export interface CopyUpOptions extends CopyOptions, Omit<SnapshotOptions, 'writer'> {
  readonly memoryBytesMax: number
}

export interface CopyResult {
  /** All files of the copy. */
  readonly files: number
  readonly bytes: number
  /** Those that the target did not have. */
  readonly newFiles: number
  readonly newBytes: number
  /** Requests that write, for which stores charge most; of a dry run, those to be expected. */
  readonly writes: number
}

/**
 * Copies a data folder that no server has open into an object store, under the same names. All that
 * the Delta logs refer to comes before them, and of each log the checkpoint with the newest state
 * comes first, so at any time readers of the target see a whole snapshot or none.
 *
 * What is there already is compared and not sent again; so an interrupted copy goes on where it
 * was. What is sent is compared afterwards. See docs/decisions/292-copies-in-buckets.md.
 *
 * @throws DataFolderError if the folder is in use, or the target has something else
 */
export async function copyUp(options: CopyUpOptions): Promise<CopyResult> {
  const { dataFolder } = options
  await refuseUnfinishedBackup(dataFolder)
  const lock = await acquireLock(dataFolder, () => {})
  try {
    if (lock === undefined || (await findServerAddress(dataFolder)) !== undefined)
      throw new DataFolderError(
        `Cannot copy ${dataFolder}: a server or another command has it open; stop it, or copy a backup ` +
          '("tracelake backup", then "tracelake flush" of the backup)',
      )
    const snapshot = await readingSnapshot(options)
    const before = await requireTarget(options.store, snapshot.tables)
    return await new CopyUp(options, snapshot).run(before)
  } finally {
    lock?.release()
  }
}

async function readingSnapshot(options: CopyUpOptions): Promise<FolderSnapshot> {
  const { memoryBytesMax, dataFolder } = options
  const database = await Database.open({ memoryBytesMax, temporaryFolder: temporaryFolder(dataFolder) })
  try {
    const writer = new Writer(await database.connect())
    try {
      return await readSnapshot({ ...options, writer })
    } finally {
      writer.close()
    }
  } finally {
    database.close()
  }
}

class CopyUp {
  private readonly options: CopyUpOptions
  private readonly snapshot: FolderSnapshot
  private readonly present = new Map<string, ObjectInfo>()
  private readonly sent = { newFiles: 0, newBytes: 0, writes: 0 }
  private done = 0

  constructor(options: CopyUpOptions, snapshot: FolderSnapshot) {
    this.options = options
    this.snapshot = snapshot
  }

  async run(before: string | undefined): Promise<CopyResult> {
    const { store, isDryRun } = this.options
    const { tables, content, logs } = this.snapshot
    const marker = { tables, run: randomHex(8) }
    if (before !== undefined) for await (const info of store.list('')) this.present.set(info.name, info)
    const begun = isDryRun ? undefined : await putMarker(store, { ...marker, is_complete: false }, before)
    await forEachConcurrent(content, copyLimits.filesAtOnce, (file) => this.copy(file))
    for (const file of logs) await this.copy(file)
    if (!isDryRun) await putMarker(store, { ...marker, is_complete: true }, begun)
    this.sent.writes += 2
    const files = [...content, ...logs]
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), ...this.sent }
  }

  private async copy(file: FileToCopy): Promise<void> {
    const { store, dataFolder, isDryRun, onProgress } = this.options
    const path = joinPath(dataFolder, file.name)
    const there = this.present.get(file.name)
    if (there === undefined || !(await isSameContent(store, there, path))) {
      this.sent.newFiles++
      this.sent.newBytes += file.bytes
      this.sent.writes += writesOf(file.bytes)
      if (!isDryRun) await this.send(file, path)
    }
    onProgress('files', ++this.done, this.snapshot.content.length + this.snapshot.logs.length)
  }

  private async send({ name, bytes }: FileToCopy, path: string): Promise<void> {
    const { store } = this.options
    const tag = await store.putLarge(name, readChunks(path, 0, bytes))
    if (await isSameContent(store, { name, bytes, tag }, path)) return
    throw new ObjectStoreError(
      'unexpected',
      `Cannot copy ${path}: ${store.place}/${name} has other bytes than were sent`,
    )
  }
}

/** Large objects take a request a part, and two more. */
const writesOf = (bytes: number): number =>
  bytes <= objectLimits.partBytes ? 1 : 2 + Math.ceil(bytes / objectLimits.partBytes)
