import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import { ensureFolderDurably, syncFolder, writeFileDurably } from '../../platform/durable-files.ts'
import { codeOf, findText, listFolder, removeFile } from '../../platform/files.ts'
import { joinPath } from '../../platform/paths.ts'
import type { Action, Add, Remove } from './actions.ts'
import { checkpointVersions, removeBefore, removeCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { commitName, commitText } from './commit-file.ts'
import { type DeltaState, readDeltaState } from './delta-state.ts'

/** The commits of one Delta table in `folder` (`_delta_log`). One writer. */
export class DeltaLog {
  readonly state: DeltaState
  private readonly folder: string
  /** Version of the last checkpoint; -1 before the first. */
  private checkpointed: number
  /** Text of the last commit that was tried. */
  private attempted: string | undefined

  private constructor(folder: string, state: DeltaState, checkpointed: number) {
    this.folder = folder
    this.state = state
    this.checkpointed = checkpointed
  }

  /** Reads what there is; the folder is made where it is missing. What a crash or damage left unusable is removed. */
  static async open(writer: Writer, folder: string): Promise<DeltaLog> {
    await ensureFolderDurably(folder)
    const state = await readDeltaState(writer, folder)
    for (const name of await listFolder(folder)) if (name.endsWith('.tmp')) await removeFile(joinPath(folder, name))
    for (const { version } of state.damaged) await removeCheckpoint(folder, version)
    const [newest = -1] = await checkpointVersions(folder)
    return new DeltaLog(folder, state, newest)
  }

  /** Adds one commit, durably. */
  async commit(actions: readonly Action[]): Promise<void> {
    const text = commitText(actions)
    this.attempted = text
    await writeFileDurably(joinPath(this.folder, commitName(this.state.version + 1)), text)
    this.state.apply(actions)
  }

  /**
   * Whether nothing is left of a commit that failed: it may have got its name and failed after that. What is left of it is removed, durably.
   *
   * @throws Error where that fails
   */
  async isSurelyWithoutFailed(): Promise<boolean> {
    const file = joinPath(this.folder, commitName(this.state.version + 1))
    const text = await findText(file).catch((cause: unknown) => {
      // A folder is not what was tried.
      if (codeOf(cause) === 'EISDIR') return undefined
      throw cause
    })
    if (text !== this.attempted) return true
    await removeFile(file)
    await syncFolder(this.folder)
    return true
  }

  /** Whether so many commits have come since the last checkpoint that a start would take long. */
  get isCheckpointDue(): boolean {
    return this.state.version - this.checkpointed >= limits.checkpointCommits
  }

  /** Writes a checkpoint, and removes commits and checkpoints that nobody needs any more. */
  async checkpoint(writer: Writer): Promise<void> {
    await writeCheckpoint(writer, this.folder, this.state.checkpoint)
    this.checkpointed = this.state.version
    await removeBefore(this.folder, await checkpointVersions(this.folder))
  }
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
  },
})
