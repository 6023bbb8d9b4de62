import type { CommittedFile, CommitWork, FileChange, FileCommits, FilePlan } from './file-commits.ts'

/** Files that are written for a commit, and kept from one attempt to the next while what they stand for holds. */
export interface OutputFiles<F extends CommittedFile> {
  /** See `CommitWork`. */
  plan(files: readonly F[]): Promise<FilePlan<F> | undefined>
  /** All that was written and not discarded. */
  readonly made: readonly F[]
}

export interface CommitSteps<F extends CommittedFile> extends Omit<CommitWork<F>, 'plan' | 'isComplete'> {
  readonly written: OutputFiles<F>
  /** Whether a file that was written is still there; another program may have cleaned up. */
  exists(file: F): Promise<boolean>
  /** Removes a file that was written and is not to be committed. */
  discard(file: F): Promise<void>
  /** Takes note that files are committed. */
  settle(files: readonly F[]): Promise<void>
}

/**
 * Commits files that are written for it. What was written in vain is removed, so that a disk which fails over and over does not fill up with it;
 * where nobody can tell whether the commit is there, it stays for the next start to judge.
 *
 * @returns what it changed; undefined where there was nothing to do any more
 */
export async function commitFiles<F extends CommittedFile>(
  commits: FileCommits<F>,
  steps: CommitSteps<F>,
): Promise<FileChange<F> | undefined> {
  const { written } = steps
  const allExist = async (files: readonly F[]): Promise<boolean> => {
    for (const file of files) if (!(await steps.exists(file))) return false
    return true
  }
  try {
    const change = await commits.commit({
      isDone: (state) => steps.isDone(state),
      plan: (files) => written.plan(files),
      isComplete: ({ added }) => allExist(added),
      actions: (plan) => steps.actions(plan),
      publish: (change) => steps.publish(change),
    })
    if (change === undefined) for (const file of written.made) await steps.discard(file)
    else await steps.settle(written.made)
    return change
  } catch (cause) {
    const named = await commits.referencedPaths()
    // Where not even that works, the first error says why.
    if (named !== undefined)
      for (const file of written.made) if (!named.has(file.add.path)) await steps.discard(file).catch(() => {})
    throw cause
  }
}
