import type { OutputFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

export interface CompactionOutputSteps<F extends CommittedFile> {
  /** Writes the rows of all files again; no files if there are no rows. */
  merge(): Promise<readonly F[]>
  exists(file: F): Promise<boolean>
  /** Removes a written file that was not committed. */
  discard(file: F): Promise<void>
}

/** The output files of a compaction; valid as long as its input files are unchanged. */
export class CompactionOutput<F extends CommittedFile> implements OutputFiles<F> {
  private readonly chosen: readonly F[]
  private readonly steps: CompactionOutputSteps<F>
  private merged: readonly F[] | undefined

  constructor(chosen: readonly F[], steps: CompactionOutputSteps<F>) {
    this.chosen = chosen
    this.steps = steps
  }

  /** Undefined if the table no longer has all input files. */
  async plan(files: readonly F[]): Promise<FilePlan<F> | undefined> {
    if (!this.chosen.every((file) => files.includes(file))) return undefined
    if (this.merged !== undefined && !(await this.allExist(this.merged))) {
      for (const file of this.merged) await this.steps.discard(file)
      this.merged = undefined
    }
    this.merged ??= await this.steps.merge()
    return { removed: this.chosen, added: this.written }
  }

  get written(): F[] {
    return [...(this.merged ?? [])]
  }

  private async allExist(files: readonly F[]): Promise<boolean> {
    for (const file of files) if (!(await this.steps.exists(file))) return false
    return true
  }
}
