import type { OutputFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

/** How a flush writes its files. */
export interface FlushOutputSteps<F extends CommittedFile> {
  /** The files that have to be rewritten. */
  affected(files: readonly F[]): Promise<readonly F[]>
  /** Rewrites one of them as one or more; none if no row is left. */
  rewrite(file: F): Promise<readonly F[]>
  /** Writes the rows of the memtable; undefined if there are none. */
  writeFresh(): Promise<F | undefined>
  /** Whether a written file still exists; another engine may have vacuumed. */
  exists(file: F): Promise<boolean>
  /** Removes a written file that was not committed. */
  discard(file: F): Promise<void>
}

/**
 * The output files of a flush: the new rows, and a rewritten copy of each file without the rows
 * that they replace.
 */
export class FlushOutput<F extends CommittedFile> implements OutputFiles<F> {
  private readonly steps: FlushOutputSteps<F>
  private fresh: { file: F | undefined } | undefined
  private readonly rewritten = new Map<F, readonly F[]>()

  constructor(steps: FlushOutputSteps<F>) {
    this.steps = steps
  }

  /**
   * Plans the commit for these files of the table. Rewritten copies of files that it no longer has
   * are discarded.
   */
  async plan(files: readonly F[]): Promise<FilePlan<F>> {
    const { steps, rewritten } = this
    if (this.fresh?.file !== undefined && !(await steps.exists(this.fresh.file))) this.fresh = undefined
    this.fresh ??= { file: await steps.writeFresh() }
    const affected = new Set(await steps.affected(files))
    for (const [file, made] of [...rewritten]) {
      if (affected.has(file) && (await this.allExist(made))) continue
      rewritten.delete(file)
      for (const each of made) await steps.discard(each)
    }
    for (const file of affected) if (!rewritten.has(file)) rewritten.set(file, await steps.rewrite(file))
    return { removed: [...affected], added: this.written }
  }

  get written(): F[] {
    return [...(this.fresh?.file === undefined ? [] : [this.fresh.file]), ...[...this.rewritten.values()].flat()]
  }

  private async allExist(files: readonly F[]): Promise<boolean> {
    for (const file of files) if (!(await this.steps.exists(file))) return false
    return true
  }
}
