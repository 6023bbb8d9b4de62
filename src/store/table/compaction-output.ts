import type { OutputFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

export interface CompactionOutputSteps<F extends CommittedFile> {
  /** Writes the rows of all as one file; undefined where there are none. */
  merge(): Promise<F | undefined>
  exists(file: F): Promise<boolean>
}

/** The file of a compaction, which takes the place of others that may not change meanwhile. */
export class CompactionOutput<F extends CommittedFile> implements OutputFiles<F> {
  private readonly chosen: readonly F[]
  private readonly steps: CompactionOutputSteps<F>
  private merged: { file: F | undefined } | undefined

  constructor(chosen: readonly F[], steps: CompactionOutputSteps<F>) {
    this.chosen = chosen
    this.steps = steps
  }

  /** Undefined where the table no longer has all of the files. */
  async plan(files: readonly F[]): Promise<FilePlan<F> | undefined> {
    if (!this.chosen.every((file) => files.includes(file))) return undefined
    const [made] = this.made
    if (made !== undefined && !(await this.steps.exists(made))) this.merged = undefined
    this.merged ??= { file: await this.steps.merge() }
    return { removed: this.chosen, added: this.made }
  }

  get made(): F[] {
    return this.merged?.file === undefined ? [] : [this.merged.file]
  }
}
