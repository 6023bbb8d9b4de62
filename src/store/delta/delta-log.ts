import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import { ensureFolderDurably } from '../../platform/durable-files.ts'
import { fileExists, findModifiedMs, listFolder, moveFile, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import { type PutIfAbsent, putIfAbsent } from '../../platform/put-if-absent.ts'
import type { Action, Add, Remove } from './actions.ts'
import { removeLastCheckpointHint, writeCheckpoint } from './checkpoint.ts'
import { checkpointVersion, findCheckpoints } from './checkpoint-files.ts'
import { commitName, commitText, commitVersion } from './commit-file.ts'
import { applyCommits, type DeltaState, readDeltaState } from './delta-state.ts'

/** Temporary names that this store gives, now and in earlier versions. Those of other programs are theirs. */
const ownTemporary = /^(\d{20}\.(json|checkpoint\.parquet)|_last_checkpoint)(\.[0-9a-f-]{36})?\.tmp$/

/** The commits of one Delta table in `folder` (`_delta_log`). Other programs may write to it as well. */
export class DeltaLog {
  /** What all commits up to the last one that this store knows add up to. */
  state: DeltaState
  private readonly folder: string
  private readonly write: PutIfAbsent
  /** Version of the last checkpoint, whoever wrote it; -1 before the first. */
  private checkpointed = -1

  private constructor(folder: string, state: DeltaState, write: PutIfAbsent) {
    this.folder = folder
    this.state = state
    this.write = write
  }

  /**
   * Reads what there is. Nothing in the folder changes.
   *
   * @param write puts a commit under its name unless there is one
   * @throws Error where a commit is missing; DamagedCommit where one cannot be read
   */
  static async open(writer: Writer, folder: string, write: PutIfAbsent = putIfAbsent): Promise<DeltaLog> {
    const log = new DeltaLog(folder, await readDeltaState(writer, folder), write)
    const unreadable = new Set(log.state.damaged.map(({ version }) => version))
    const checkpoints = findCheckpoints(await listFolder(folder))
    log.checkpointed = checkpoints.find(({ version }) => !unreadable.has(version))?.version ?? -1
    return log
  }

  /** Makes the folder where it is missing, removes what a crash left unfinished, and puts checkpoints aside that cannot be read. */
  async clean(): Promise<void> {
    await ensureFolderDurably(this.folder)
    for (const name of await listFolder(this.folder))
      if (ownTemporary.test(name)) await removeFile(joinPath(this.folder, name))
    for (const { version, names } of this.state.damaged) {
      for (const name of names) await moveFile(joinPath(this.folder, name), joinPath(this.folder, `${name}.damaged`))
      await removeLastCheckpointHint(this.folder, version)
    }
  }

  /**
   * Adds one commit, durably, unless another program has written one since the state.
   *
   * @returns false where one has
   */
  async tryCommit(actions: readonly Action[]): Promise<boolean> {
    if ((await this.newestCommit()) > this.state.version) return false
    const file = joinPath(this.folder, commitName(this.state.version + 1))
    if (!(await this.write(file, commitText(actions)))) return false
    this.state.apply(actions)
    return true
  }

  /** Whether another program has written the commit that comes next. */
  hasNext(): Promise<boolean> {
    return fileExists(joinPath(this.folder, commitName(this.state.version + 1)))
  }

  /** Whether a file is part of the table, as far as the commits say that are there now. */
  async references(file: Add['add']): Promise<boolean> {
    // An adopted state may be newer than the files in memory.
    return (await this.newestCommit()) === this.state.version && this.state.has(file)
  }

  /**
   * The state with what other programs have written since; undefined where they have written nothing. `adopt` makes it that of the log.
   *
   * @throws Error where commits are missing; DamagedCommit where one cannot be read
   */
  async readNewerState(writer: Writer): Promise<DeltaState | undefined> {
    const names = await listFolder(this.folder)
    const newest = newestOf(names)
    this.checkpointed = Math.max(this.checkpointed, findCheckpoints(names)[0]?.version ?? -1)
    if (newest === this.state.version) return undefined
    if (newest < this.state.version)
      throw new Error(
        `Read the Delta log: commit ${this.state.version} was in ${this.folder}, and the newest there is ${newest} now`,
      )
    // Whoever writes checkpoints may have removed the commits that one of them holds.
    if (!names.includes(commitName(this.state.version + 1))) return await readDeltaState(writer, this.folder)
    const state = this.state.copy()
    await applyCommits(state, this.folder, names)
    return state
  }

  adopt(state: DeltaState): void {
    this.state = state
  }

  /** Whether so many commits have come since the last checkpoint that a start would take long. */
  get isCheckpointDue(): boolean {
    return this.state.version - this.checkpointed >= limits.checkpointCommits
  }

  /**
   * Writes a checkpoint, and removes commits and checkpoints that nobody needs any more: those before a checkpoint that has one after it and
   * is as old as what is kept for others.
   */
  async checkpoint(writer: Writer, options: { nowMs: number; logKeptMs: number }): Promise<void> {
    const { nowMs, logKeptMs } = options
    this.state.expireRemoved((remove) => nowMs - (remove.deletionTimestamp ?? 0) > keptMs(remove, this.state))
    await writeCheckpoint(writer, this.folder, this.state.checkpoint)
    this.checkpointed = this.state.version
    const names = await listFolder(this.folder)
    const [, ...earlier] = findCheckpoints(names)
    for (const { version, names: files } of earlier) {
      if (nowMs - ((await findModifiedMs(joinPath(this.folder, files[0]!))) ?? nowMs) < logKeptMs) continue
      for (const name of names) {
        const other = commitVersion(name) ?? checkpointVersion(name)
        if (other !== undefined && other < version) await removeFile(joinPath(this.folder, name))
      }
      return
    }
  }

  private async newestCommit(): Promise<number> {
    return newestOf(await listFolder(this.folder))
  }
}

const newestOf = (names: readonly string[]): number =>
  names.reduce((newest, name) => Math.max(newest, commitVersion(name) ?? checkpointVersion(name) ?? -1), -1)

/** Tag of a removed file: this store has put others in its place, and sees to its removal from the disk. */
const replacedTag = 'tracelake.replaced'

export const isReplacedByUs = ({ tags }: Remove['remove']): boolean => tags?.[replacedTag] !== undefined

/** How long the log says that a file was removed: others must not take it for one that nobody has named yet. */
function keptMs(remove: Remove['remove'], { metaData }: DeltaState): number {
  if (isReplacedByUs(remove)) return limits.replacedFilesNamedMs
  const [, count, unit] =
    /^(?:interval\s+)?(\d+)\s+(hour|day|week)s?$/i.exec(
      metaData?.configuration['delta.deletedFileRetentionDuration'] ?? '',
    ) ?? []
  const hours = { hour: 1, day: 24, week: 168 }[unit?.toLowerCase() ?? 'week'] ?? 168
  return Number(count ?? 1) * hours * 3_600_000
}

/** @param options `dataChange`: false where the rows stay in the table, in another file */
export const removeAction = (file: Add['add'], nowMs: number, { dataChange }: { dataChange: boolean }): Remove => ({
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
