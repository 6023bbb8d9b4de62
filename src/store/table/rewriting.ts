import type { WrittenFiles } from './commit-written.ts'
import type { CommittedFile, FilePlan } from './file-commits.ts'

/** How a flush writes its files. */
export interface RewritingSteps<F extends CommittedFile> {
  /** Which of the files have to be written again. */
  concerned(files: readonly F[]): Promise<readonly F[]>
  /** Writes a file for one of those; undefined where no row is left. */
  rewrite(file: F): Promise<F | undefined>
  /** Writes the rows that no file has yet; undefined where there are none. */
  writeFresh(): Promise<F | undefined>
  /** Whether a file that was written is still there; another program may have cleaned up. */
  isThere(file: F): Promise<boolean>
  /** Removes a file that was written and not committed. */
  discard(file: F): Promise<void>
}

/** The files of a flush: new rows, and each file that holds rows which they hide once more without these. */
export class Rewriting<F extends CommittedFile> implements WrittenFiles<F> {
  private readonly steps: RewritingSteps<F>
  private fresh: { file: F | undefined } | undefined
  private readonly rewritten = new Map<F, F | undefined>()

  constructor(steps: RewritingSteps<F>) {
    this.steps = steps
  }

  /** What the commit is to do while the table has these files. What was written before for files that it no longer has goes. */
  async plan(files: readonly F[]): Promise<FilePlan<F>> {
    const { steps, rewritten } = this
    if (this.fresh?.file !== undefined && !(await steps.isThere(this.fresh.file))) this.fresh = undefined
    this.fresh ??= { file: await steps.writeFresh() }
    const concerned = new Set(await steps.concerned(files))
    for (const [file, made] of [...rewritten]) {
      const isThere = made === undefined || (await steps.isThere(made))
      if (concerned.has(file) && isThere) continue
      rewritten.delete(file)
      if (made !== undefined) await steps.discard(made)
    }
    for (const file of concerned) if (!rewritten.has(file)) rewritten.set(file, await steps.rewrite(file))
    return { removed: [...concerned], added: this.made }
  }

  get made(): F[] {
    return [this.fresh?.file, ...this.rewritten.values()].flatMap((file) => file ?? [])
  }
}
