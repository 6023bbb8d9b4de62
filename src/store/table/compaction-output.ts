import type { OutputFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

export interface CompactionOutputSteps<F extends CommittedFile> {
  /** Writes the rows of all files as one file; undefined if there are none. */
  merge(): Promise<F | undefined>
  exists(file: F): Promise<boolean>
}

/** The output file of a compaction; valid as long as its input files are unchanged. */
export class CompactionOutput<F extends CommittedFile> implements OutputFiles<F> {
  private readonly chosen: readonly F[]
  private readonly steps: CompactionOutputSteps<F>
  private merged: { file: F | undefined } | undefined

  constructor(chosen: readonly F[], steps: CompactionOutputSteps<F>) {
    this.chosen = chosen
    this.steps = steps
  }

  /** Undefined if the table no longer has all input files. */
  async plan(files: readonly F[]): Promise<FilePlan<F> | undefined> {
    if (!this.chosen.every((file) => files.includes(file))) return undefined
    const [made] = this.written
    if (made !== undefined && !(await this.steps.exists(made))) this.merged = undefined
    this.merged ??= { file: await this.steps.merge() }
    return { removed: this.chosen, added: this.written }
  }

  get written(): F[] {
    return this.merged?.file === undefined ? [] : [this.merged.file]
  }
}
