import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { waiting } from '../../runtime/platform/without-waiting.ts'
import { StoredRowsAway } from './bring-stored-rows.ts'
import type { CommittedFile, CommitWork, FileChange, FileCommits, FilePlan } from './file-commits.ts'

/**
 * A read hit a file that another engine has replaced. Following that engine's commits yields its
 * replacement.
 */
export class FilesReplaced extends DomainError {
  constructor(cause?: unknown) {
    super('StoreUnavailable', 'Cannot read stored data: another engine keeps replacing its files; try again later', {
      cause,
    })
  }
}

/**
 * Runs `work`, and retries it a few times if another engine replaced files that it reads, or if it
 * needs files that have to be fetched first. Must not be called under the layers lock, which
 * `follow` takes.
 *
 * @param follow catches up with commits of other engines
 * @param signal ends the wait for files
 * @throws the last failure of `work`
 */
export async function retryIfReplaced<T>(
  work: () => Promise<T>,
  follow: () => Promise<unknown>,
  signal?: () => AbortSignal,
): Promise<T> {
  using held = new DisposableStack()
  for (let [replaced, away] = [1, 1]; ; ) {
    try {
      // Rows that need yet another file may arrive each time.
      return await (away > storageLimits.awayReadsMax ? waiting(work) : work())
    } catch (cause) {
      if (cause instanceof StoredRowsAway) {
        away++
        held.use(await cause.bring(signal?.()))
        continue
      }
      if (!(cause instanceof FilesReplaced) || replaced++ >= storageLimits.replacedReadsMax) throw cause
      // Failures are reported where they occur; the next attempt fails in the same way.
      await follow().catch(() => {})
    }
  }
}

/** Output files of a commit, kept across attempts while they remain valid. */
export interface OutputFiles<F extends CommittedFile> {
  /** See `CommitWork`. */
  plan(files: readonly F[]): Promise<FilePlan<F> | undefined>
  /** The files that were written and not discarded. */
  readonly written: readonly F[]
}

export interface CommitSteps<F extends CommittedFile> extends Omit<CommitWork<F>, 'plan' | 'isComplete'> {
  readonly output: OutputFiles<F>
  /** Whether a written file still exists; another engine may have vacuumed. */
  exists(file: F): Promise<boolean>
  /** Removes a written file that will not be committed. */
  discard(file: F): Promise<void>
  /** Records that files are committed. */
  settle(files: readonly F[]): Promise<void>
}

/**
 * Commits newly written files. Files that are not committed are removed, so that a disk that keeps
 * failing does not fill up; if the outcome of the commit is unknown, they stay for the next start
 * to judge.
 *
 * @returns the change; undefined if there was nothing left to do
 */
export async function commitFiles<F extends CommittedFile>(
  commits: FileCommits<F>,
  steps: CommitSteps<F>,
): Promise<FileChange<F> | undefined> {
  const { output } = steps
  const allExist = async (files: readonly F[]): Promise<boolean> => {
    for (const file of files) if (!(await steps.exists(file))) return false
    return true
  }
  try {
    const change = await commits.commit({
      isDone: (state) => steps.isDone(state),
      plan: (files) => output.plan(files),
      isComplete: ({ added }) => allExist(added),
      actions: (plan) => steps.actions(plan),
      publish: (change) => steps.publish(change),
    })
    if (change === undefined) for (const file of output.written) await steps.discard(file)
    else await steps.settle(output.written)
    return change
  } catch (cause) {
    const named = await commits.referencedPaths()
    // If even that fails, the first error says why.
    if (named !== undefined)
      for (const file of output.written) if (!named.has(file.add.path)) await steps.discard(file).catch(() => {})
    throw cause
  }
}

interface CompactionOutputSteps<F extends CommittedFile> {
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

  /** Undefined if the table no longer has all input files: a flush or another engine was first. */
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
