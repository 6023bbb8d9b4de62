import { itemAt } from '../../lib/present.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import { listFolder } from '../../runtime/platform/files/files.ts'
import type { Transaction } from './actions.ts'
import { checkpointVersion, findCheckpoints, readCheckpoint } from './checkpoint.ts'
import { commitVersion } from './commit-file.ts'
import type { DeltaLog } from './delta-log.ts'

/** Application id under which the Delta log records the last commit that erased rows. */
const erasureApplication = 'tracelake/erasure'

/** Part of a commit that erases rows. */
export const erasureAction = (version: number, nowMs: number): Transaction => ({
  txn: { appId: erasureApplication, version, lastUpdated: nowMs },
})

export interface ForgetOptions {
  readonly nowMs: number
  /** How long old versions of the table can be read. */
  readonly versionsKeptMs: number
  readonly logKeptMs: number
  /** Minimum interval between checkpoints. */
  readonly checkpointPauseMs: number
}

/**
 * Removes erased values from the Delta log of one table. Commits and checkpoints state bounds of
 * the columns of each data file, so those from before the erasure go: a checkpoint replaces them as
 * soon as the versions before it need no longer be readable.
 */
export class ErasedHistory {
  private readonly log: DeltaLog
  private readonly folder: string
  /** The last erasure that no file of the log precedes any more. */
  private forgottenThrough = -1

  constructor(log: DeltaLog, folder: string) {
    this.log = log
    this.folder = folder
  }

  /** Whether there may be something to do. */
  get isDue(): boolean {
    return (this.log.state.transaction(erasureApplication) ?? -1) > this.forgottenThrough
  }

  async forget(writer: Writer, options: ForgetOptions): Promise<void> {
    const erasedAt = this.log.state.transaction(erasureApplication) ?? -1
    const { names, ageMs: fileAgeMs } = await this.log.list(options.nowMs)
    const versions = names.flatMap((name) => commitVersion(name) ?? checkpointVersion(name) ?? [])
    const first = Math.min(...versions)
    const setAside = names.filter((name) => name.endsWith('.damaged'))
    if (first >= erasedAt && setAside.length === 0) {
      this.forgottenThrough = erasedAt
      return
    }
    // One of them is going to be read.
    const checkpoints = findCheckpoints(await listFolder(this.folder))
    const ageMs = (checkpoint: (typeof checkpoints)[number]) => fileAgeMs(itemAt(checkpoint.names, 0))
    const [newest] = checkpoints
    if ((newest?.version ?? -1) < erasedAt) {
      if (newest !== undefined && (await ageMs(newest)) < options.checkpointPauseMs) return
      await this.log.checkpoint(writer, options)
      return
    }
    for (const checkpoint of checkpoints) {
      if ((await ageMs(checkpoint)) < options.versionsKeptMs) continue
      // From here on it is the only record of the files, so it has to be readable.
      await readCheckpoint(writer, this.folder, checkpoint)
      await this.log.remove([...names.filter((name) => isBefore(name, checkpoint.version)), ...setAside])
      return
    }
  }
}

const isBefore = (name: string, version: number): boolean =>
  (commitVersion(name) ?? checkpointVersion(name) ?? Number.POSITIVE_INFINITY) < version
