import type { DataFile } from '../data-files/data-file.ts'
import { discardFile, markCommitted } from '../data-files/uncommitted-files.ts'
import type { Action } from '../delta/actions.ts'
import { removeAction } from '../delta/delta-log.ts'
import type { TableLayout } from '../layout.ts'
import type { CommittedFile, CommitWork, FileChange, FileCommits, FilePlan } from './file-commits.ts'
import type { FileWriteContext } from './file-write-context.ts'

/** What can be done with written files. */
export interface FileSteps<F extends CommittedFile> {
  /** Whether a written file still exists; another engine may have vacuumed. */
  exists(file: F): Promise<boolean>
  /** Removes a written file that will not be committed. */
  discard(file: F): Promise<void>
  /** Records that files are committed. */
  settle(files: readonly F[]): Promise<void>
}

/** The files of a table on disk. */
const dataFileSteps = (layout: TableLayout): FileSteps<DataFile> => ({
  exists: ({ fileName }) => layout.files.exists(layout.parquet(fileName)),
  discard: ({ fileName }) => discardFile(layout, fileName),
  settle: (files) => markCommitted(layout, files),
})

/** Files that were written for a commit, kept across attempts while they remain valid. */
class WrittenFiles<F extends CommittedFile> {
  private readonly steps: FileSteps<F>
  private readonly bySource = new Map<unknown, readonly F[]>()

  constructor(steps: FileSteps<F>) {
    this.steps = steps
  }

  /** All that were not discarded. */
  get all(): F[] {
    return [...this.bySource.values()].flat()
  }

  /** The files made of a source, which are written unless they still exist. */
  async madeOf(source: unknown, write: () => Promise<readonly F[]>): Promise<readonly F[]> {
    const known = this.bySource.get(source)
    if (known !== undefined && (await this.allExist(known))) return known
    await this.discard(source)
    const made = await write()
    this.bySource.set(source, made)
    return made
  }

  /** Discards the files made of other sources. */
  async keepOnly(sources: ReadonlySet<unknown>): Promise<void> {
    for (const source of [...this.bySource.keys()]) if (!sources.has(source)) await this.discard(source)
  }

  async allExist(files: readonly F[]): Promise<boolean> {
    for (const file of files) if (!(await this.steps.exists(file))) return false
    return true
  }

  private async discard(source: unknown): Promise<void> {
    const files = this.bySource.get(source) ?? []
    this.bySource.delete(source)
    for (const file of files) await this.steps.discard(file)
  }
}

/** A commit of newly written files. */
export interface FileWork<F extends CommittedFile> extends Omit<CommitWork<F>, 'plan' | 'isComplete'> {
  /** See `CommitWork`. */
  plan(files: readonly F[], written: WrittenFiles<F>): Promise<FilePlan<F> | undefined>
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
  steps: FileSteps<F>,
  { plan, ...work }: FileWork<F>,
): Promise<FileChange<F> | undefined> {
  const written = new WrittenFiles(steps)
  try {
    const change = await commits.commit({
      ...work,
      plan: (files) => plan(files, written),
      isComplete: ({ added }) => written.allExist(added),
    })
    if (change === undefined) await written.keepOnly(new Set())
    else await steps.settle(written.all)
    return change
  } catch (cause) {
    const named = await commits.referencedPaths()
    // If even that fails, the first error says why.
    if (named !== undefined)
      for (const file of written.all) if (!named.has(file.add.path)) await steps.discard(file).catch(() => {})
    throw cause
  }
}

/** The same for data files. */
export const commitDataFiles = (
  commits: FileCommits<DataFile>,
  layout: TableLayout,
  work: FileWork<DataFile>,
): Promise<FileChange<DataFile> | undefined> => commitFiles(commits, dataFileSteps(layout), work)

/** The actions that replace files; `dataChange` is false if the rows of the table stay the same. */
export const fileActions = (plan: FilePlan<CommittedFile>, nowMs: number, dataChange = true): Action[] => [
  ...plan.removed.map(({ add }) => removeAction(add, nowMs, { dataChange })),
  ...plan.added.map(({ add }) => ({ add: { ...add, dataChange } })),
]

/**
 * Plans to replace files by those that `write` makes of them; nothing if the table no longer has
 * all of them: a flush or another engine was first.
 */
export const replacing =
  <F extends CommittedFile>(chosen: readonly F[], write: () => Promise<readonly F[]>): FileWork<F>['plan'] =>
  async (files, written) =>
    chosen.every((file) => files.includes(file))
      ? { removed: chosen, added: await written.madeOf(chosen, write) }
      : undefined

/**
 * Replaces data files by others, in one commit.
 *
 * @param options.write writes the other files; none if there are no rows
 * @returns undefined if a flush or another engine replaced one of the files meanwhile
 */
export const replaceFiles = (
  { layers, commits, layersLock }: FileWriteContext,
  chosen: readonly DataFile[],
  { write, actions }: { write: () => Promise<readonly DataFile[]>; actions: FileWork<DataFile>['actions'] },
): Promise<FileChange<DataFile> | undefined> =>
  commitDataFiles(commits, layers.layout, {
    plan: replacing(chosen, write),
    actions,
    publish: (change) => layersLock.run(async () => layers.files.replace(change)),
  })
