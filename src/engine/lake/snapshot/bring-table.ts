import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { lakeLimits } from '../../../lib/limits/objects.ts'
import type { Table } from '../../../lib/table.ts'
import type { Writer } from '../../../runtime/duck/writer.ts'
import { isObjectError, type ObjectInfo, ObjectStoreError } from '../../../runtime/objects/object-store.ts'
import { systemClock } from '../../../runtime/platform/clock.ts'
import { ensureFolderDurably, writeFileDurably } from '../../../runtime/platform/files/durable-files.ts'
import { listFolder, removeFile } from '../../../runtime/platform/files/files.ts'
import { joinPath } from '../../../runtime/platform/files/paths.ts'
import { fileNameOf } from '../../data-files/file-scan.ts'
import { commitInfo } from '../../delta/actions.ts'
import { commitName, commitText, commitVersion } from '../../delta/commit-file.ts'
import { vectorFileName } from '../../delta/deletion-vector.ts'
import { type DeltaState, readDeltaState } from '../../delta/delta-state.ts'
import { type AsOf, readStateAsOf } from '../../delta/state-as-of.ts'
import { DataFolderError, indexedFile, TableLayout } from '../../layout.ts'
import { walApplication } from '../../wal/log-files.ts'
import { DamagedLog } from '../log-object.ts'
import { logApplication, replayBorder } from '../replay-border.ts'
import type { ArrivingFiles } from './arriving-files.ts'
import { writeSegments } from './log-segments.ts'
import { readLogBeside } from './read-log.ts'

export interface BringTableOptions {
  readonly files: ArrivingFiles
  readonly writer: Writer
  /** An earlier version, without rows of the log; files that are gone are left out. */
  readonly asOf?: AsOf | undefined
  /** For a folder that servers will open, and whose earlier copies may be opened until then. */
  readonly isLasting?: boolean
  /** Leaves out data files that are missing in the store, for readers that report them. */
  readonly isTolerant?: boolean
  readonly onProgress: (what: string, done: number, of?: number) => void
}

/**
 * Brings a table of a lake into a data folder as it is now, while its node goes on: the Delta log,
 * the data files that it names with their indexes, and the rows that are only in the log of
 * objects, as segments of a write-ahead log. What the folder has of an earlier state is removed.
 *
 * @throws DataFolderError, ObjectStoreError, DamagedLog; Error if the table changes too often
 */
export async function bringTable(options: BringTableOptions, table: Table): Promise<void> {
  const bringing = new BringTable(options, table)
  for (let attempt = 1; ; attempt++) {
    try {
      await bringing.run()
      return
    } catch (cause) {
      if (!mayHaveChanged(cause)) throw cause
      if (attempt < lakeLimits.snapshotAttemptsMax) continue
      throw new Error(
        `Cannot read table ${table.name} of ${options.files.store.place}: it changed while it was read, in ` +
          `${attempt} attempts`,
        { cause },
      )
    }
  }
}

/** Files, commits and rows of the log are removed once others replace them. */
const mayHaveChanged = (cause: unknown): boolean =>
  isObjectError(cause, 'absent') ||
  !(cause instanceof ObjectStoreError || cause instanceof DataFolderError || cause instanceof DamagedLog)

class BringTable {
  private readonly options: BringTableOptions
  private readonly table: Table
  private readonly layout: TableLayout
  /** Objects that a state of this version names, and that are not there. */
  private missing = new Set<string>()
  private missingFrom: number | undefined

  constructor(options: BringTableOptions, table: Table) {
    this.options = options
    this.table = table
    this.layout = new TableLayout(options.files.folder, table.name)
  }

  async run(): Promise<void> {
    const { files, writer, asOf } = this.options
    const others = await this.bringDeltaLog()
    const state =
      asOf === undefined
        ? await readDeltaState(writer, this.layout.deltaLog)
        : await readStateAsOf(writer, this.layout.deltaLog, asOf)
    if (state === undefined) return
    if (state.version !== this.missingFrom) this.missing = new Set()
    this.missingFrom = state.version
    // After the state: what is removed from the log meanwhile is noticed.
    const border = replayBorder([state])
    const before = state.transaction(walApplication) ?? 0
    if (asOf === undefined) {
      const log = readLogBeside(files.store, `log/${this.table.name}`, border, () => this.hasBorderAfter(state))
      await writeSegments(this.layout, log, (number) => before + number)
    }
    await this.bringFiles(state, others)
    if (this.options.isLasting === true && border > 0) await this.commitBorder(state, before + border)
  }

  /**
   * Commits that all segments of earlier copies are in the files, so that none is replayed over
   * newer rows while it has not been removed yet.
   */
  private async commitBorder({ version }: DeltaState, through: number): Promise<void> {
    const actions = [commitInfo('COPY', {}, systemClock.nowMs()), { txn: { appId: walApplication, version: through } }]
    await writeFileDurably(joinPath(this.layout.deltaLog, commitName(version + 1)), commitText(actions))
  }

  /** Whether the store has a commit after a state that moves the border. */
  private async hasBorderAfter({ version }: DeltaState): Promise<boolean> {
    const { store } = this.options.files
    const prefix = `${this.prefix}_delta_log/`
    for await (const { name } of store.list(prefix, { after: prefix + commitName(version) })) {
      if (commitVersion(name.slice(prefix.length)) === undefined) continue
      const text = new TextDecoder().decode((await store.get(name)).bytes)
      if (text.includes(JSON.stringify(logApplication))) return true
    }
    return false
  }

  private get prefix(): string {
    return `tables/${this.table.name}/`
  }

  /** Makes the Delta log in the folder that of the store. @returns all other objects, by name */
  private async bringDeltaLog(): Promise<Map<string, ObjectInfo>> {
    const { files } = this.options
    await ensureFolderDurably(this.layout.deltaLog)
    const others = new Map<string, ObjectInfo>()
    const log: ObjectInfo[] = []
    const prefix = `${this.prefix}_delta_log/`
    for await (const object of files.store.list(this.prefix))
      if (!object.name.startsWith(prefix)) others.set(object.name.slice(this.prefix.length), object)
      // It may be replaced at any time, and is written anew by the next checkpoint.
      else if (!object.name.endsWith('/_last_checkpoint')) log.push(object)
    const names = new Set(log.map(({ name }) => name.slice(prefix.length)))
    // A checkpoint may be one of an earlier copy, with another border.
    const present = await listFolder(this.layout.deltaLog)
    // The newest one may be of an earlier copy.
    const newest = present.findLast((name) => commitVersion(name) !== undefined)
    for (const name of present)
      if (!names.has(name) || name === newest) await removeFile(joinPath(this.layout.deltaLog, name))
    await forEachConcurrent(log, lakeLimits.fetchedAtOnce, (object) => files.bring(object, { isLog: true }))
    return others
  }

  private async bringFiles(state: DeltaState, others: ReadonlyMap<string, ObjectInfo>): Promise<void> {
    const { files, asOf, onProgress } = this.options
    const wanted = new Map<string, number>()
    const data = new Set<string>()
    for (const { add } of state.files) {
      const name = fileNameOf(add.path)
      data.add(name)
      wanted.set(name, others.get(name)?.bytes ?? add.size)
      const vector = add.deletionVector && vectorFileName(add.deletionVector)
      const vectorBytes = vector === undefined ? undefined : others.get(vector)?.bytes
      if (vector !== undefined && vectorBytes !== undefined) wanted.set(vector, vectorBytes)
    }
    for (const [name, { bytes }] of others) if (belongs(name, data)) wanted.set(name, bytes)
    await this.removeOthers(wanted)
    let done = 0
    let gone: ObjectStoreError | undefined
    await forEachConcurrent(wanted, lakeLimits.fetchedAtOnce, async ([name, bytes]) => {
      try {
        await files.bring({ name: this.prefix + name, bytes })
      } catch (cause) {
        if (!isObjectError(cause, 'absent')) throw cause
        if (asOf === undefined && this.isNewlyMissing(name, cause)) gone = cause
      }
      onProgress(this.table.name, ++done, wanted.size)
    })
    // Once all that is missing is known, one more attempt is enough.
    if (gone !== undefined) throw gone
  }

  /** The first time, the table may have changed; it has not if the same version still names it. */
  private isNewlyMissing(name: string, cause: ObjectStoreError): boolean {
    if (!this.missing.has(name)) {
      this.missing.add(name)
      return true
    }
    if (this.options.isTolerant !== true)
      throw new DataFolderError(`${cause.message}; "tracelake verify --lake" lists everything that is missing`)
    return false
  }

  private async removeOthers(wanted: ReadonlyMap<string, number>): Promise<void> {
    for (const [folder, prefix] of [
      [this.layout.folder, ''],
      [this.layout.filters, '_filters/'],
    ] as const)
      for (const name of await listFolder(folder))
        if (/\.(parquet|index)$/.test(name) && !wanted.has(prefix + name)) await removeFile(joinPath(folder, name))
  }
}

/** Indexes of data files, and what a repair has put aside. */
function belongs(name: string, data: ReadonlySet<string>): boolean {
  const [, folder, own = ''] = /^(_filters|_quarantine)\/([^/]+)$/.exec(name) ?? []
  if (folder === '_filters') return own.endsWith('.group') || data.has((indexedFile(own) ?? '').replaceAll('%2F', '/'))
  return folder === '_quarantine'
}
