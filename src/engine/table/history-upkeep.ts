import { storageLimits } from '../../lib/limits/storage.ts'
import { itemAt } from '../../lib/present.ts'
import { listFolder } from '../../runtime/platform/files/files.ts'
import { erasureApplication } from '../delta/actions.ts'
import { type CheckpointFiles, checkpointVersion, findCheckpoints, readCheckpoint } from '../delta/checkpoint.ts'
import { commitVersion } from '../delta/commit-file.ts'
import type { FileWriteContext } from './file-write-context.ts'
import { Upkeep } from './upkeep.ts'

/**
 * Removes erased values from the Delta log of one table. Commits and checkpoints state bounds of
 * the columns of each data file, so those from before the erasure go: a checkpoint replaces them as
 * soon as the versions before it need no longer be readable.
 */
export class HistoryUpkeep extends Upkeep {
  readonly what = 'removing erased values from the Delta log'
  /** The last erasure that no file of the log precedes any more. */
  private forgottenThrough = -1

  constructor(context: FileWriteContext) {
    super(context, { pauseMs: storageLimits.erasedHistoryCheckMs })
  }

  protected get isDue(): boolean {
    return this.erasedAt > this.forgottenThrough
  }

  private get erasedAt(): number {
    return this.context.commits.deltaLog.state.transaction(erasureApplication) ?? -1
  }

  protected async work(): Promise<void> {
    // A compaction writes checkpoints too.
    await this.context.rewriteLock.run(() => this.forget())
  }

  private async forget(): Promise<void> {
    if (this.isClosed) return
    const { rewriter, retention, clock, commits, layers } = this.context
    const { erasedAt } = this
    const { deltaLog: log } = commits
    const { deltaLog: folder } = layers.layout
    const nowMs = clock.nowMs()
    const { names, ageMs: fileAgeMs } = await log.list(nowMs)
    const versions = names.flatMap((name) => commitVersion(name) ?? checkpointVersion(name) ?? [])
    const setAside = names.filter((name) => name.endsWith('.damaged'))
    if (Math.min(...versions) >= erasedAt && setAside.length === 0) {
      this.forgottenThrough = erasedAt
      return
    }
    // One of them is going to be read.
    const checkpoints = findCheckpoints(await listFolder(folder))
    const ageMs = (checkpoint: CheckpointFiles) => fileAgeMs(itemAt(checkpoint.names, 0))
    const [newest] = checkpoints
    if ((newest?.version ?? -1) < erasedAt) {
      if (newest !== undefined && (await ageMs(newest)) < storageLimits.erasedCheckpointPauseMs) return
      await log.checkpoint(rewriter, { ...retention, nowMs })
      return
    }
    for (const checkpoint of checkpoints) {
      if ((await ageMs(checkpoint)) < retention.versionsKeptMs) continue
      // From here on it is the only record of the files, so it has to be readable.
      await readCheckpoint(rewriter, folder, checkpoint)
      await log.remove([...names.filter((name) => isBefore(name, checkpoint.version)), ...setAside])
      return
    }
  }
}

const isBefore = (name: string, version: number): boolean =>
  (commitVersion(name) ?? checkpointVersion(name) ?? Number.POSITIVE_INFINITY) < version
