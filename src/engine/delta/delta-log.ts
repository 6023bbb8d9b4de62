import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { ensureFolderDurably, syncFolder } from '../../runtime/platform/files/durable-files.ts'
import { fileExists, findModifiedMs, listFolder, moveFile, removeFile } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { Action, Add, Remove } from './actions.ts'
import {
  checkpointName,
  checkpointVersion,
  findCheckpoints,
  lastCheckpointName,
  removeLastCheckpointHint,
  writeCheckpoint,
} from './checkpoint.ts'
import { commitName, commitVersion } from './commit-file.ts'
import { type DeltaFiles, deltaFilesOfFolder } from './delta-files.ts'
import { applyCommits, type DeltaState, readDeltaState } from './delta-state.ts'

/** Temporary names that this store uses or used to use. Those of other engines are left alone. */
const ownTemporary = /^(\d{20}\.(json|checkpoint\.parquet)|_last_checkpoint)(\.[0-9a-f-]{36})?\.tmp$/

/** How long the past of a table is kept. */
export interface LogRetention {
  /** Commits that a checkpoint covers. */
  readonly logKeptMs: number
  /** Replaced data files: as long, earlier versions of the table can be read. */
  readonly versionsKeptMs: number
}

/** The commits of one Delta table in `folder` (`_delta_log`). Other engines may write to it too. */
export class DeltaLog {
  /** The result of all commits up to the last one that this store has read. */
  state: DeltaState
  private readonly folder: string
  private readonly kept: DeltaFiles
  /** Version of the last checkpoint, of any writer; -1 before the first. */
  private checkpointed = -1

  private constructor(folder: string, state: DeltaState, kept: DeltaFiles) {
    this.folder = folder
    this.state = state
    this.kept = kept
  }

  /**
   * Reads the log without changing anything in the folder.
   *
   * @param kept where its files are besides
   * @throws Error if a commit is missing; DamagedCommit if one cannot be read
   */
  static async open(writer: Writer, folder: string, kept = deltaFilesOfFolder): Promise<DeltaLog> {
    const log = new DeltaLog(folder, await kept.read(writer, folder), kept)
    const unreadable = new Set(log.state.damaged.map(({ version }) => version))
    const checkpoints = findCheckpoints(await listFolder(folder))
    log.checkpointed = checkpoints.find(({ version }) => !unreadable.has(version))?.version ?? -1
    return log
  }

  /**
   * Creates the folder if necessary, removes temporary files of a crash, and sets unreadable
   * checkpoints aside.
   */
  async clean(): Promise<void> {
    await ensureFolderDurably(this.folder)
    await this.makeDurable()
    for (const name of await listFolder(this.folder))
      if (ownTemporary.test(name)) await removeFile(joinPath(this.folder, name))
    for (const { version, names } of this.state.damaged) {
      for (const name of names) await moveFile(joinPath(this.folder, name), joinPath(this.folder, `${name}.damaged`))
      await removeLastCheckpointHint(this.folder, version)
    }
  }

  /**
   * Makes the commits that can be read durable. The process that wrote the last one may have died,
   * or failed, before it synced the folder. The write-ahead log must not be removed for a commit
   * that a power loss can undo.
   */
  makeDurable(): Promise<void> {
    return syncFolder(this.folder)
  }

  /** See `DeltaFiles`. */
  keepData(paths: readonly string[]): Promise<void> {
    return this.kept.keepData(paths)
  }

  /**
   * Adds one commit durably, unless another engine has committed since the current state.
   *
   * @returns false if another engine was first
   */
  async tryCommit(actions: readonly Action[]): Promise<boolean> {
    if ((await this.newestCommit()) > this.state.version) return false
    this.refuseRemoved(actions)
    const file = joinPath(this.folder, commitName(this.state.version + 1))
    if (!(await this.kept.commit(file, actions))) return false
    this.state.apply(actions)
    return true
  }

  /**
   * A file that was taken for one that no process will commit may be gone, or go any time. See
   * docs/decisions/293-how-long-unnamed-objects-stay.md.
   */
  private refuseRemoved(actions: readonly Action[]): void {
    for (const action of actions)
      if ('add' in action && this.state.isRemoved(action.add))
        throw new Error(`Cannot commit ${action.add.path}: it took so long that the file was removed as uncommitted`)
  }

  /** Whether another engine has written the next commit. */
  hasNext(): Promise<boolean> {
    return fileExists(joinPath(this.folder, commitName(this.state.version + 1)))
  }

  /** Whether the commits on disk, read or not, have the file as part of the table. */
  async references(file: Add['add']): Promise<boolean> {
    // The adopted state may be newer than the files in memory.
    return (await this.newestCommit()) === this.state.version && this.state.has(file)
  }

  /**
   * Reads what other engines have committed; undefined if nothing. Call `adopt` to make it the
   * current state.
   *
   * @throws Error if commits are missing; DamagedCommit if one cannot be read
   */
  async readNewerState(writer: Writer): Promise<DeltaState | undefined> {
    await this.kept.refresh()
    const names = await listFolder(this.folder)
    const newest = newestOf(names)
    this.checkpointed = Math.max(this.checkpointed, findCheckpoints(names)[0]?.version ?? -1)
    if (newest === this.state.version) return undefined
    if (newest < this.state.version)
      throw new Error(
        `Cannot read the Delta log: commit ${this.state.version} was in ${this.folder}, but the newest there now ` +
          `is ${newest}`,
      )
    // Another engine may have removed commits that a checkpoint covers.
    if (!names.includes(commitName(this.state.version + 1))) return await readDeltaState(writer, this.folder)
    const state = this.state.copy()
    await applyCommits(state, this.folder, names)
    return state
  }

  adopt(state: DeltaState): void {
    this.state = state
  }

  /** Whether enough commits have accumulated since the last checkpoint to slow down a start. */
  get isCheckpointDue(): boolean {
    return this.state.version - this.checkpointed >= storageLimits.checkpointCommits
  }

  /**
   * Writes a checkpoint, then removes obsolete commits and checkpoints: those before a checkpoint
   * that is not the newest and is older than the retention time.
   */
  async checkpoint(writer: Writer, options: LogRetention & { readonly nowMs: number }): Promise<void> {
    const { nowMs, versionsKeptMs } = options
    const logKeptMs = Math.max(options.logKeptMs, versionsKeptMs)
    const isExpired = (remove: Remove['remove']) =>
      nowMs - (remove.deletionTimestamp ?? 0) > keptMs(remove, this.state, versionsKeptMs)
    this.state.expireRemoved(isExpired)
    // Commits may follow while it is written.
    const { checkpoint } = this.state
    await writeCheckpoint(writer, this.folder, checkpoint)
    await this.kept.put([checkpointName(checkpoint.version), lastCheckpointName])
    this.checkpointed = Math.max(this.checkpointed, checkpoint.version)
    const { names, ageMs } = await this.list(nowMs)
    const [, ...earlier] = findCheckpoints(names)
    for (const { version, names: files } of earlier) {
      if ((await ageMs(itemAt(files, 0))) < logKeptMs) continue
      const isObsolete = (name: string) => (commitVersion(name) ?? checkpointVersion(name) ?? version) < version
      await this.remove(names.filter(isObsolete))
      return
    }
  }

  /** Names of all files of the log, whether or not they are in the folder, and their ages. */
  async list(nowMs: number): Promise<{ names: string[]; ageMs: (name: string) => Promise<number> }> {
    const times = await this.kept.times()
    const names = [...new Set([...(await listFolder(this.folder)), ...times.keys()])].sort()
    const writtenMs = async (name: string) => (await findModifiedMs(joinPath(this.folder, name))) ?? times.get(name)
    return { names, ageMs: async (name) => nowMs - ((await writtenMs(name)) ?? nowMs) }
  }

  /** Removes files of the log, in this order. */
  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) await removeFile(joinPath(this.folder, name))
    await this.kept.remove(names)
  }

  private async newestCommit(): Promise<number> {
    return newestOf(await listFolder(this.folder))
  }
}

const newestOf = (names: readonly string[]): number =>
  names.reduce((newest, name) => Math.max(newest, commitVersion(name) ?? checkpointVersion(name) ?? -1), -1)

/** Tag of a removed file: this store replaced it and deletes it from disk itself. */
const replacedTag = 'tracelake.replaced'

export const isReplacedByUs = ({ tags }: Remove['remove']): boolean => tags?.[replacedTag] !== undefined

/**
 * How long the log keeps a remove action, so that others do not take the file for an uncommitted
 * one.
 */
function keptMs(remove: Remove['remove'], { metaData }: DeltaState, versionsKeptMs: number): number {
  if (isReplacedByUs(remove)) return versionsKeptMs + storageLimits.replacedFilesNamedMs
  const [, count, unit] =
    /^(?:interval\s+)?(\d+)\s+(hour|day|week)s?$/i.exec(
      metaData?.configuration['delta.deletedFileRetentionDuration'] ?? '',
    ) ?? []
  const hours = { hour: 1, day: 24, week: 168 }[unit?.toLowerCase() ?? 'week'] ?? 168
  return Number(count ?? 1) * hours * 3_600_000
}

/** @param options `dataChange`: false if the rows stay in the table, in another file */
export const removeAction = (
  file: Pick<Add['add'], 'path' | 'partitionValues' | 'size' | 'deletionVector'>,
  nowMs: number,
  { dataChange }: { dataChange: boolean },
): Remove => ({
  remove: {
    path: file.path,
    deletionTimestamp: nowMs,
    dataChange,
    extendedFileMetadata: true,
    partitionValues: file.partitionValues,
    size: file.size,
    tags: { [replacedTag]: 'true' },
    ...(file.deletionVector && { deletionVector: file.deletionVector }),
  },
})
