import type { Writer } from '../../duck/writer.ts'
import { limits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import { sleep } from '../../platform/event-loop.ts'
import { DataFolderError } from '../data-folder-error.ts'
import type { Action, Add } from '../delta/actions.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { Mutex } from '../mutex.ts'

/** A file that a commit names. */
export interface CommittedFile {
  readonly add: Add['add']
}

/** Files that take the place of others. */
export interface FileChange<F extends CommittedFile> {
  /** All files of the table from now on. */
  readonly dataFiles: readonly F[]
  readonly removed: readonly F[]
}

export interface FilePlan<F extends CommittedFile> {
  readonly removed: readonly F[]
  readonly added: readonly F[]
}

/** What one commit does to the files of a table; made again as often as other programs commit something first. */
export interface CommitWork<F extends CommittedFile> {
  /** Whether a commit has done it already: one of ours whose outcome was not known. */
  isDone(state: DeltaState): boolean
  /** What is to be done where the table has these files; undefined where there is nothing to do any more. Writes the files that it takes. */
  plan(files: readonly F[]): Promise<FilePlan<F> | undefined>
  /** Whether the files that it wrote are still there; another program may have cleaned up. */
  isComplete(plan: FilePlan<F>): Promise<boolean>
  /** Actions of a commit that does it. */
  actions(plan: FilePlan<F>): readonly Action[]
  /** Takes what the commit did over into memory. Must not fail. */
  publish(change: FileChange<F>): Promise<void>
}

/** What the commits of a table need to know of it. */
export interface CommittedTable<F extends CommittedFile> {
  /** The files that the table has now; another list with every change. */
  files(): readonly F[]
  /** Opens the files of a newer state; those that `known` has, by their key, are open. @throws where it cannot be read */
  open(state: DeltaState, known: readonly F[]): Promise<readonly F[]>
  /** Moves to the files of other programs' commits. Must not fail. */
  follow(change: FileChange<F>): Promise<void>
  /** Why nothing may be written to a table of this state; undefined where it may. */
  refusal(state: DeltaState): string | undefined
  /** Throws where the folder is no longer ours. */
  assertHeld(): Promise<void>
}

/** Commits of one table, ours and those of other programs, which are noticed and followed. */
export class FileCommits<F extends CommittedFile> {
  readonly deltaLog: DeltaLog
  /** Why rows are not taken, while other programs have made the table what it cannot be here. */
  refusal: string | undefined
  /** Why commits of others could not be followed the last time. */
  failure: string | undefined
  private readonly table: CommittedTable<F>
  private readonly scout: Writer
  private readonly log: Log
  private readonly lock = new Mutex()
  private following: Promise<void> | undefined
  private lookedAtMs = 0
  readonly stats = { foreignCommits: 0, lostRaces: 0 }

  constructor(options: { deltaLog: DeltaLog; table: CommittedTable<F>; scout: Writer; log: Log }) {
    this.deltaLog = options.deltaLog
    this.table = options.table
    this.scout = options.scout
    this.log = options.log
    this.refusal = this.table.refusal(this.deltaLog.state)
  }

  /** Follows what other programs have committed. Called by a timer; whoever comes while it runs waits for it. */
  async follow(): Promise<void> {
    this.following ??= this.lock
      .run(() => this.followLocked())
      .finally(() => {
        this.following = undefined
      })
    await this.following
  }

  /** Whether a file is part of the table, as far as the commits say that are on the disk now, followed or not. */
  references({ add }: F): Promise<boolean> {
    return this.deltaLog.references(add)
  }

  /**
   * The same before a read, where there seems to be something: files that others have replaced may go soon. Waits a moment at most, because new
   * files may take long to look at; nothing is thrown, because what was known before can still be read.
   */
  async followBeforeRead(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.lookedAtMs < limits.followPauseMs) return
    this.lookedAtMs = nowMs
    if (!(await this.deltaLog.hasNext())) return
    // A failure is reported where it occurs.
    const followed = this.follow().catch(() => {})
    await Promise.race([followed, sleep(limits.followBeforeReadMs)])
  }

  /**
   * Commits the work as the next version of the table, behind whatever other programs have committed.
   *
   * @returns what it changed; undefined where there was nothing to do, or it was done
   * @throws Error where the table is refused, or others are always first
   */
  async commit(work: CommitWork<F>): Promise<FileChange<F> | undefined> {
    for (let attempt = 1; attempt <= limits.commitAttemptsMax; attempt++) {
      await this.lock.run(() => this.followLocked())
      if (this.refusal !== undefined) throw new DataFolderError(this.refusal)
      if (work.isDone(this.deltaLog.state)) return await this.alreadyDone(work)
      const files = this.table.files()
      const plan = await this.planOrFollow(work, files)
      if (plan === 'lost race') continue
      if (plan === undefined) return undefined
      const change = await this.lock.run(() => this.tryOnce(work, files, plan))
      if (change !== undefined) return change
      this.stats.lostRaces++
    }
    throw new Error(`Commit to the Delta log: other programs were first ${limits.commitAttemptsMax} times in a row`)
  }

  /**
   * Paths that commits name or have named, after a commit that failed: it may be there all the same. Undefined where that cannot be found out.
   */
  async referencedPaths(): Promise<ReadonlySet<string> | undefined> {
    try {
      await this.lock.run(() => this.followLocked())
    } catch {
      // It has been reported; the files stay, and the next start finds out.
      return undefined
    }
    const { files, removed } = this.deltaLog.state
    return new Set([...files.map(({ add }) => add.path), ...removed.map(({ path }) => path)])
  }

  /** A plan reads files, which may go once another program has replaced them: then it is made again for what took their place. */
  private async planOrFollow(work: CommitWork<F>, files: readonly F[]): Promise<FilePlan<F> | undefined | 'lost race'> {
    try {
      return await work.plan(files)
    } catch (cause) {
      await this.lock.run(() => this.followLocked())
      if (this.table.files() === files) throw cause
      this.stats.lostRaces++
      return 'lost race'
    }
  }

  private async tryOnce(
    work: CommitWork<F>,
    files: readonly F[],
    plan: FilePlan<F>,
  ): Promise<FileChange<F> | undefined> {
    await this.followLocked()
    if (this.table.files() !== files || this.refusal !== undefined) return undefined
    if (!(await work.isComplete(plan))) return undefined
    await this.table.assertHeld()
    if (!(await this.deltaLog.tryCommit(work.actions(plan)))) return undefined
    const gone = new Set(plan.removed)
    const change = { dataFiles: [...files.filter((file) => !gone.has(file)), ...plan.added], removed: plan.removed }
    await work.publish(change)
    return change
  }

  private async alreadyDone(work: CommitWork<F>): Promise<FileChange<F>> {
    const change = { dataFiles: this.table.files(), removed: [] }
    await work.publish(change)
    return change
  }

  /** Under the lock. */
  private async followLocked(): Promise<void> {
    try {
      await this.followOrThrow()
      this.failure = undefined
      this.refusal = this.table.refusal(this.deltaLog.state)
    } catch (err) {
      const message = err instanceof Error ? err.message : String(err)
      if (this.failure !== message) this.log.error({ err }, 'cannot follow what other programs have committed')
      this.failure = message
      if (err instanceof DataFolderError) this.refusal = message
      throw err
    }
  }

  private async followOrThrow(): Promise<void> {
    let state = await this.deltaLog.readNewerState(this.scout)
    if (state === undefined) return
    const before = this.table.files()
    let dataFiles: readonly F[] | undefined
    while (dataFiles === undefined) {
      try {
        dataFiles = await this.table.open(state, before)
      } catch (cause) {
        // A file that was replaced and removed meanwhile is none that is missing.
        const later: DeltaState | undefined = await this.deltaLog.readNewerState(this.scout)
        if (later === undefined || later.version === state.version) throw cause
        state = later
      }
    }
    const commits = state.version - this.deltaLog.state.version
    this.deltaLog.adopt(state)
    const kept = new Set(dataFiles)
    await this.table.follow({ dataFiles, removed: before.filter((file) => !kept.has(file)) })
    this.stats.foreignCommits += commits
    this.log.info({ commits, version: state.version, files: dataFiles.length }, 'other programs have changed the table')
  }
}
