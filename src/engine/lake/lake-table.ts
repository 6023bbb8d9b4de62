import { Mutex } from '../../lib/concurrency.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { type PutOutcome, putOwn } from '../../runtime/objects/put-own.ts'
import { isPassing, type RetryPace, retryDelayMs, systemPace } from '../../runtime/objects/retrying-store.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { ensureFolder, fileBytes, listFolder } from '../../runtime/platform/files/files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { createdAtMs, isOwnName } from '../data-files/file-names.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import type { Action, Add } from '../delta/actions.ts'
import { commitText } from '../delta/commit-file.ts'
import type { DeltaFiles } from '../delta/delta-files.ts'
import { type DeltaState, readDeltaState } from '../delta/delta-state.ts'
import { DataFolderError, indexedFile, type MayHave, TableLayout } from '../layout.ts'
import type { KeptFile, LogSurroundings, StorageOf, TableStorage } from '../table/table-storage.ts'
import type { LogBacklog } from '../wal/log-storage.ts'
import { CachedDeltaLog, deltaFolder } from './cached-delta-log.ts'
import { CachedFolder } from './cached-folder.ts'
import type { Fenced } from './fenced-log.ts'
import type { LakeFiles } from './lake-files.ts'
import { backlogOf } from './log-objects.ts'
import type { ObjectLog, PreparedLog } from './object-log.ts'
import { findOldObjects } from './old-objects.ts'
import { openLog } from './open-log.ts'
import type { PreparedLake } from './prepared-lake.ts'
import { logApplication, replayBorder } from './replay-border.ts'

/** What all tables of a lake share. */
export interface LakeSurroundings {
  readonly store: ObjectStore
  /** The folder, which is a cache. */
  readonly dataFolder: string
  readonly files: LakeFiles
  /** Named in epochs. */
  readonly node: string
  readonly pace: RetryPace
  readonly log: Log
  /** Filled with the log of each table, by name. */
  readonly logs?: Map<string, { readonly unflushed: number }> | undefined
  /** What was read before this node owned the lake. */
  readonly prepared?: PreparedLake | undefined
  /** Called when another node has taken over. */
  readonly onFenced: (fenced: Fenced) => void
}

/** Tables in an object store. */
export const lakeStorage =
  (around: Omit<LakeSurroundings, 'pace'>): StorageOf =>
  (tableName) =>
    new LakeTable({ ...around, pace: systemPace }, tableName)

const filtersFolder = '_filters'

/**
 * A table whose log, commits and files are objects. The folder has the Delta log and a cache of the
 * others. See docs/decisions/288-tables-in-an-object-store.md.
 */
class LakeTable implements TableStorage {
  readonly layout: TableLayout
  readonly delta: DeltaFiles
  readonly logApplication = logApplication
  readonly ensureFolder = ensureFolder
  private readonly around: LakeSurroundings
  private readonly name: string
  private readonly objects: CachedFolder
  private readonly deltaLog: CachedDeltaLog
  /** Until the log is open. */
  private prepared: PreparedLog | undefined
  private opened: ObjectLog | undefined
  private isClean = false
  /** Held while the border is read: several objects may turn out to be gone at a time. */
  private readonly reading = new Mutex()
  /**
   * Whether the store has commits, or may get one, that are not in the folder. Until they are, no
   * file can be said to belong to no commit.
   */
  private behind: 'no' | 'yes' | 'undecided' = 'no'

  constructor(around: LakeSurroundings, name: string) {
    this.around = around
    this.name = name
    const keeper = {
      forget: (fileName: string) => this.forget(fileName),
      keepIndex: (fileName: string) => this.storeIndex(fileName),
      eraseQuarantined: (mayHave: MayHave) => this.objects.removeWhere('_quarantine/', mayHave),
    }
    this.layout = new TableLayout(around.dataFolder, name, keeper, around.files)
    this.objects = new CachedFolder({ store: around.store, prefix: `tables/${name}/`, folder: this.layout.folder })
    const prepared = around.prepared?.take(name)
    this.prepared = prepared?.log
    this.deltaLog = prepared?.deltaLog ?? new CachedDeltaLog(this.objects)
    this.delta = {
      read: async (writer, folder) => this.deltaLog.takeState() ?? (await readDeltaState(writer, folder)),
      keepData: async (paths) => {
        for (const path of paths) await this.storeFile(fileNameOf(path))
      },
      commit: (file, actions) => this.commit(baseName(file), actions),
      refresh: () => this.refresh(),
      times: () => this.deltaLog.times(),
      put: async (names) => {
        for (const each of names) await this.objects.put(joinPath(deltaFolder, each))
      },
      remove: (names) => this.remove(names.map((each) => joinPath(deltaFolder, each))),
    }
  }

  /** Closes the log for the node before; then the state can only change by late commits. */
  async prepare(writer: Writer): Promise<void> {
    const { store, node, pace, log } = this.around
    this.opened = await openLog({
      store,
      folder: `log/${this.name}`,
      node,
      pace,
      newNonce: () => randomHex(16),
      onFailure: (err) => log.warn({ err, table: this.name }, 'cannot write the log of the lake yet'),
      prepared: this.prepared,
      readBorder: () => this.reading.run(async () => replayBorder([await this.deltaLog.read(writer)])),
    })
    this.prepared = undefined
    this.around.logs?.set(this.name, this.opened)
    void this.opened.fenced.then(this.around.onFenced)
  }

  async adopt(state: DeltaState): Promise<void> {
    for (const { add } of state.files) this.note(add)
    if (!this.isClean) await this.removeLeftovers()
    this.isClean = true
  }

  async findLog({ codec, flushedThrough }: LogSurroundings): Promise<LogBacklog> {
    if (this.opened === undefined) throw new Error(`The log of ${this.name} is not open`)
    return backlogOf(this.opened, codec, flushedThrough)
  }

  async findOld(isNamed: (fileName: string) => boolean): Promise<KeptFile[]> {
    const unfinished = new Set(await listFolder(this.layout.unfinished))
    const isWanted = (fileName: string) => isOwnName(fileName) && !unfinished.has(fileName) && !isNamed(fileName)
    return await findOldObjects({ store: this.around.store, table: this.objects, isWanted })
  }

  /**
   * Removes files of an earlier process that the cache does not know, or the table does not need:
   * never committed, or replaced while it was not running.
   */
  private async removeLeftovers(): Promise<void> {
    const { layout, around } = this
    const isNeeded = (path: string, dataFile: string) =>
      around.files.has(layout.parquet(dataFile)) && around.files.isCached(path)
    for (const name of await listFolder(layout.folder)) {
      const path = joinPath(layout.folder, name)
      if (createdAtMs(name) !== undefined && !isNeeded(path, name)) await around.files.removeCopy(path)
    }
    for (const name of await listFolder(layout.filters)) {
      const path = joinPath(layout.filters, name)
      const dataFile = indexedFile(name)
      if (dataFile !== undefined && !isNeeded(path, dataFile)) await around.files.removeCopy(path)
    }
  }

  private note(add: Add['add']): void {
    const fileName = fileNameOf(add.path)
    if (add.deletionVector !== undefined && add.deletionVector.storageType !== 'i')
      throw new DataFolderError(
        `Cannot open table ${this.name}: another engine has deleted rows of ${fileName} by a deletion vector, which ` +
          'this version cannot read in an object store',
      )
    this.around.files.note(this.layout.parquet(fileName), add.size)
  }

  private async commit(name: string, actions: readonly Action[]): Promise<boolean> {
    const bytes = new TextEncoder().encode(commitText(actions))
    const outcome = await this.putCommit(name, bytes)
    if (outcome.isOurs) await writeFileDurably(joinPath(this.layout.deltaLog, name), bytes)
    else await this.deltaLog.bringCommits()
    this.behind = 'no'
    return outcome.isOurs
  }

  private async refresh(): Promise<void> {
    if (this.behind === 'undecided')
      throw new Error(`It is not known yet whether ${this.around.store.place} has the last commit`)
    if (this.behind === 'yes') await this.deltaLog.bringCommits()
    this.behind = 'no'
  }

  /**
   * Repeats a put until its outcome is known, however long the store is away: a commit that may
   * still happen names files that must not be removed, and rows that must not be stored again.
   */
  private async putCommit(name: string, bytes: Uint8Array): Promise<PutOutcome> {
    const { store, pace, log } = this.around
    const object = this.objects.objectOf(joinPath(deltaFolder, name))
    this.behind = 'undecided'
    for (let failures = 1; ; failures++) {
      try {
        const outcome = await putOwn(store, object, bytes, { when: { ifAbsent: true } })
        this.behind = 'yes'
        return outcome
      } catch (cause) {
        if (!(cause instanceof ObjectStoreError)) throw cause
        log.warn({ err: cause, object }, 'cannot commit yet')
        await pace.wait(retryDelayMs(failures, isPassing(cause) ? cause : undefined, pace))
      }
    }
  }

  private async storeFile(fileName: string): Promise<void> {
    const path = this.layout.parquet(fileName)
    // A commit may come so late that another node has removed it, and no longer says so.
    if (this.around.files.has(path) && (await this.objects.exists(fileName))) return
    await this.storeIndex(fileName)
    await this.objects.put(fileName)
    await this.around.files.keep(path, await fileBytes(path))
  }

  private async storeIndex(fileName: string): Promise<void> {
    const path = this.layout.index(fileName)
    await this.objects.put(joinPath(filtersFolder, baseName(path)))
    await this.around.files.keep(path, await fileBytes(path))
  }

  private async forget(fileName: string): Promise<void> {
    for (const path of [this.layout.parquet(fileName), this.layout.index(fileName)])
      await this.around.files.forget(path)
    await this.remove([fileName, joinPath(filtersFolder, baseName(this.layout.index(fileName)))])
  }

  private async remove(names: readonly string[]): Promise<void> {
    const failure = await this.objects.remove(names)
    if (failure !== undefined) this.around.log.warn({ err: failure }, 'cannot remove objects yet')
  }
}
