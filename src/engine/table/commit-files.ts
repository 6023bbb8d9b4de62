import type { CommittedFile, CommitWork, FileChange, FileCommits, FilePlan } from './file-commits.ts'

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
