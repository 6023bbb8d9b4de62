import { forEachConcurrent, Mutex, Semaphore } from '../../lib/concurrency.ts'
import { lakeLimits } from '../../lib/limits/objects.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import { type ObjectStore, ObjectStoreError } from '../../runtime/objects/object-store.ts'
import { type PutOutcome, putOwn } from '../../runtime/objects/put-own.ts'
import { isPassing, type RetryPace, retryDelayMs, systemPace } from '../../runtime/objects/retrying-store.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { writeFileDurably } from '../../runtime/platform/files/durable-files.ts'
import { fileExists, listFolder, removeFile } from '../../runtime/platform/files/files.ts'
import { baseName, joinPath } from '../../runtime/platform/files/paths.ts'
import { createdAtMs } from '../data-files/file-names.ts'
import { fileNameOf } from '../data-files/file-scan.ts'
import type { Action, Add } from '../delta/actions.ts'
import { commitText } from '../delta/commit-file.ts'
import type { DeltaFiles } from '../delta/delta-files.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { DataFolderError, TableLayout } from '../layout.ts'
import type { LogSurroundings, StorageOf, TableStorage } from '../table/table-storage.ts'
import type { LogBacklog } from '../wal/log-storage.ts'
import { CachedDeltaLog, deltaFolder } from './cached-delta-log.ts'
import { CachedFolder, isFetching } from './cached-folder.ts'
import type { Fenced } from './fenced-log.ts'
import { backlogOf } from './log-objects.ts'
import type { ObjectLog } from './object-log.ts'
import { openLog } from './open-log.ts'
import { logApplication, replayBorder } from './replay-border.ts'

/** What all tables of a lake share. */
export interface LakeSurroundings {
  readonly store: ObjectStore
  /** The cache. */
  readonly dataFolder: string
  /** Of files that are fetched. */
  readonly places: Semaphore
  /** Named in epochs. */
  readonly node: string
  readonly pace: RetryPace
  readonly log: Log
  /** Filled with the log of each table, by name. */
  readonly logs?: Map<string, { readonly unflushed: number }> | undefined
  /** Called when another node has taken over. */
  readonly onFenced: (fenced: Fenced) => void
}

/** Tables in an object store. */
export function lakeStorage(around: Omit<LakeSurroundings, 'pace' | 'places'>): StorageOf {
  const places = new Semaphore(lakeLimits.fetchedAtOnce)
  return (tableName) => new LakeTable({ ...around, places, pace: systemPace }, tableName)
}

const filtersFolder = '_filters'

/**
 * A table whose log, commits and files are objects. The folder is a cache of them. See
 * docs/decisions/288-tables-in-an-object-store.md.
 */
class LakeTable implements TableStorage {
  readonly layout: TableLayout
  readonly delta: DeltaFiles
  readonly logApplication = logApplication
  private readonly around: LakeSurroundings
  private readonly name: string
  private readonly files: CachedFolder
  private readonly deltaLog: CachedDeltaLog
  private opened: ObjectLog | undefined
  private isClean = false
  /** Held while the border is read: several objects may turn out to be gone at a time. */
  private readonly reading = new Mutex()
  /** Data files that are in the store already. */
  private readonly stored = new Set<string>()
  /**
   * Whether the store has commits, or may get one, that are not in the folder. Until they are, no
   * file can be said to belong to no commit.
   */
  private behind: 'no' | 'yes' | 'undecided' = 'no'

  constructor(around: LakeSurroundings, name: string) {
    this.around = around
    this.name = name
    this.layout = new TableLayout(around.dataFolder, name, { forget: (fileName) => this.forget(fileName) })
    this.files = new CachedFolder({ store: around.store, prefix: `tables/${name}/`, folder: this.layout.folder })
    this.deltaLog = new CachedDeltaLog(this.files)
    this.delta = {
      keepData: async (paths) => {
        for (const path of paths) await this.storeFile(fileNameOf(path))
      },
      commit: (file, actions) => this.commit(baseName(file), actions),
      refresh: () => this.refresh(),
      times: () => this.deltaLog.times(),
      put: async (names) => {
        for (const each of names) await this.files.put(joinPath(deltaFolder, each))
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
      readBorder: () => this.reading.run(async () => replayBorder([await this.deltaLog.read(writer)])),
    })
    this.around.logs?.set(this.name, this.opened)
    void this.opened.fenced.then(this.around.onFenced)
  }

  async fetch(state: DeltaState): Promise<void> {
    if (!this.isClean) await this.removeLeftovers(state)
    this.isClean = true
    await forEachConcurrent(state.files, lakeLimits.fetchedAtOnce, ({ add }) =>
      this.around.places.run(() => this.fetchFile(add)),
    )
  }

  async findLog({ codec, flushedThrough }: LogSurroundings): Promise<LogBacklog> {
    if (this.opened === undefined) throw new Error(`The log of ${this.name} is not open`)
    return backlogOf(this.opened, codec, flushedThrough)
  }

  /** Data files of an earlier process: never committed, or replaced while it was not running. */
  private async removeLeftovers({ files }: DeltaState): Promise<void> {
    const named = new Set(files.map(({ add }) => fileNameOf(add.path)))
    for (const name of await listFolder(this.layout.folder))
      if (isFetching(name)) await removeFile(joinPath(this.layout.folder, name))
      else if (createdAtMs(name) !== undefined && !named.has(name))
        for (const path of [this.layout.parquet(name), ...this.layout.indexFiles(name)]) await removeFile(path)
  }

  private async fetchFile(add: Add['add']): Promise<void> {
    const fileName = fileNameOf(add.path)
    if (add.deletionVector !== undefined && add.deletionVector.storageType !== 'i')
      throw new DataFolderError(
        `Cannot open table ${this.name}: another engine has deleted rows of ${fileName} by a deletion vector, which ` +
          'this version cannot read in an object store',
      )
    await this.files.ensure(fileName, add.size)
    this.stored.add(fileName)
    const index = baseName(this.layout.index(fileName))
    if (!(await fileExists(this.layout.index(fileName)))) await this.files.fetch(joinPath(filtersFolder, index))
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
    const object = this.files.objectOf(joinPath(deltaFolder, name))
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
    if (this.stored.has(fileName)) return
    const index = baseName(this.layout.index(fileName))
    await this.files.put(joinPath(filtersFolder, index))
    await this.files.put(fileName)
    this.stored.add(fileName)
  }

  private async forget(fileName: string): Promise<void> {
    this.stored.delete(fileName)
    await this.remove([fileName, joinPath(filtersFolder, baseName(this.layout.index(fileName)))])
  }

  private async remove(names: readonly string[]): Promise<void> {
    const failure = await this.files.remove(names)
    if (failure !== undefined) this.around.log.warn({ err: failure }, 'cannot remove objects yet')
  }
}
