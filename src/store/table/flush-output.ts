import type { OutputFiles } from './commit-files.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

/** How a flush writes its files. */
export interface FlushOutputSteps<F extends CommittedFile> {
  /** Which of the files have to be written again. */
  affected(files: readonly F[]): Promise<readonly F[]>
  /** Writes a file for one of those; undefined where no row is left. */
  rewrite(file: F): Promise<F | undefined>
  /** Writes the rows that no file has yet; undefined where there are none. */
  writeFresh(): Promise<F | undefined>
  /** Whether a file that was written is still there; another program may have cleaned up. */
  exists(file: F): Promise<boolean>
  /** Removes a file that was written and not committed. */
  discard(file: F): Promise<void>
}

/** The files of a flush: new rows, and each file that holds rows which they hide once more without these. */
export class FlushOutput<F extends CommittedFile> implements OutputFiles<F> {
  private readonly steps: FlushOutputSteps<F>
  private fresh: { file: F | undefined } | undefined
  private readonly rewritten = new Map<F, F | undefined>()

  constructor(steps: FlushOutputSteps<F>) {
    this.steps = steps
  }

  /** What the commit is to do while the table has these files. What was written before for files that it no longer has goes. */
  async plan(files: readonly F[]): Promise<FilePlan<F>> {
    const { steps, rewritten } = this
    if (this.fresh?.file !== undefined && !(await steps.exists(this.fresh.file))) this.fresh = undefined
    this.fresh ??= { file: await steps.writeFresh() }
    const affected = new Set(await steps.affected(files))
    for (const [file, made] of [...rewritten]) {
      const exists = made === undefined || (await steps.exists(made))
      if (affected.has(file) && exists) continue
      rewritten.delete(file)
      if (made !== undefined) await steps.discard(made)
    }
    for (const file of affected) if (!rewritten.has(file)) rewritten.set(file, await steps.rewrite(file))
    return { removed: [...affected], added: this.made }
  }

  get made(): F[] {
    return [this.fresh?.file, ...this.rewritten.values()].flatMap((file) => file ?? [])
  }
}
