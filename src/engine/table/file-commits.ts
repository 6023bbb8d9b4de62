import { Mutex } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Writer } from '../../runtime/duck/writer.ts'
import type { Log } from '../../runtime/log.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import type { Action, Add } from '../delta/actions.ts'
import type { DeltaLog } from '../delta/delta-log.ts'
import type { DeltaState } from '../delta/delta-state.ts'
import { DataFolderError } from '../layout.ts'

/** A file named by a commit. */
export interface CommittedFile {
  readonly add: Add['add']
}

/** A replacement of files. */
export interface FileChange<F extends CommittedFile> {
  /** All files of the table after the change. */
  readonly dataFiles: readonly F[]
  readonly removed: readonly F[]
}

export interface FilePlan<F extends CommittedFile> {
  readonly removed: readonly F[]
  readonly added: readonly F[]
}

/**
 * A change of a table's files by one commit, replanned whenever another commit comes first: one by
 * another engine, by a flush while files are being rewritten, or by a rewrite during a flush.
 */
export interface CommitWork<F extends CommittedFile> {
  /** Whether it is already committed, as by an earlier attempt whose outcome was unknown. */
  isDone?(state: DeltaState): boolean
  /**
   * Plans the change for these files of the table; undefined if there is nothing left to do. Writes
   * the output files.
   */
  plan(files: readonly F[]): Promise<FilePlan<F> | undefined>
  /** Whether the output files still exist; another engine may have vacuumed. */
  isComplete?(plan: FilePlan<F>): Promise<boolean>
  /** The actions of the commit. */
  actions(plan: FilePlan<F>): readonly Action[]
  /** Applies the committed change in memory. Must not fail. */
  publish?(change: FileChange<F>): Promise<void>
}

/** The parts of a table that `FileCommits` uses. */
export interface CommittedTable<F extends CommittedFile> {
  /** The current files of the table; a new list after every change. */
  files(): readonly F[]
  /**
   * Opens the files of a newer state, reusing those in `known` by key.
   * @throws Error if it cannot be read
   */
  open(state: DeltaState, known: readonly F[]): Promise<readonly F[]>
  /** Switches to the files of other engines' commits. Must not fail. */
  follow(change: FileChange<F>): Promise<void>
  /** Why a table in this state must not be written to; undefined if it may. */
  refusal(state: DeltaState): string | undefined
  /** Throws if the folder lock is lost. */
  assertHeld(): Promise<void>
}

/**
 * The commits of one table. Detects and follows commits of other engines. See
 * docs/decisions/068-other-engines-write.md.
 */
export class FileCommits<F extends CommittedFile> {
  readonly deltaLog: DeltaLog
  /** Why rows are rejected while other engines have made the table incompatible. */
  refusal: string | undefined
  /** Why the last attempt to follow other engines failed. */
  failure: string | undefined
  private readonly table: CommittedTable<F>
  private readonly followConnection: Writer
  private readonly log: Log
  private readonly lock = new Mutex()
  private following: Promise<void> | undefined
  private lastCheckMs = 0
  /** Commits of this store. */
  private ownCommits = 0
  readonly stats = { foreignCommits: 0, lostRaces: 0 }

  constructor(options: { deltaLog: DeltaLog; table: CommittedTable<F>; followConnection: Writer; log: Log }) {
    this.deltaLog = options.deltaLog
    this.table = options.table
    this.followConnection = options.followConnection
    this.log = options.log
    this.refusal = this.table.refusal(this.deltaLog.state)
  }

  /** Follows commits of other engines. Called by a timer; concurrent callers share one run. */
  async follow(): Promise<void> {
    this.following ??= this.lock
      .run(() => this.followLocked())
      .finally(() => {
        this.following = undefined
      })
    await this.following
  }

  /** Whether the commits on disk, followed or not, have the file as part of the table. */
  references({ add }: F): Promise<boolean> {
    return this.deltaLog.references(add)
  }

  /**
   * Follows new commits, if any, before a read, because replaced files may disappear soon. Waits
   * only briefly, because opening new files may take long, and never throws, because the known
   * state is still readable.
   */
  async followBeforeRead(): Promise<void> {
    const nowMs = performance.now()
    if (nowMs - this.lastCheckMs < storageLimits.followPauseMs) return
    this.lastCheckMs = nowMs
    if (!(await this.deltaLog.hasNext())) return
    // Failures are reported where they occur.
    const followed = this.follow().catch(() => {})
    await Promise.race([followed, delay(storageLimits.followBeforeReadMs)])
  }

  /**
   * Commits the work as the next version of the table, after all other commits. Others may commit
   * while it is being planned, so output for files that they do not change should stay valid.
   *
   * @returns the change; undefined if there was nothing to do, or it was already done
   * @throws Error if the table is incompatible, or other engines keep winning the race
   */
  async commit(work: CommitWork<F>): Promise<FileChange<F> | undefined> {
    for (let attempt = 1; attempt <= storageLimits.commitAttemptsMax; attempt++) {
      await this.lock.run(() => this.followLocked())
      if (this.refusal !== undefined) throw new DataFolderError(this.refusal)
      if (work.isDone?.(this.deltaLog.state)) return await this.lock.run(() => this.publishDone(work))
      const { ownCommits } = this
      const files = this.table.files()
      const plan = await this.planOrFollow(work, files)
      if (plan === undefined) return undefined
      if (plan !== 'lost race') {
        await this.deltaLog.keepData(plan.added.map(({ add }) => add.path))
        const change = await this.lock.run(() => this.tryOnce(work, files, plan))
        if (change !== undefined) return change
      }
      if (ownCommits === this.ownCommits) this.stats.lostRaces++
    }
    throw new Error(
      `Cannot commit to the Delta log: other commits came first ${storageLimits.commitAttemptsMax} times in a row`,
    )
  }

  /**
   * Paths that commits name or have named, for use after a commit with unknown outcome. Undefined
   * if they cannot be determined.
   */
  async referencedPaths(): Promise<ReadonlySet<string> | undefined> {
    try {
      await this.lock.run(() => this.followLocked())
    } catch {
      // Already reported. The files stay, and the next start decides.
      return undefined
    }
    return this.deltaLog.state.paths
  }

  /**
   * Planning reads files that may vanish once another engine has replaced them. The work is then
   * planned again.
   */
  private async planOrFollow(work: CommitWork<F>, files: readonly F[]): Promise<FilePlan<F> | undefined | 'lost race'> {
    try {
      return await work.plan(files)
    } catch (cause) {
      await this.lock.run(() => this.followLocked())
      if (this.table.files() === files) throw cause
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
    if ((await work.isComplete?.(plan)) === false) return undefined
    await this.table.assertHeld()
    if (!(await this.deltaLog.tryCommit(work.actions(plan)))) return undefined
    this.ownCommits++
    const gone = new Set(plan.removed)
    const change = { dataFiles: [...files.filter((file) => !gone.has(file)), ...plan.added], removed: plan.removed }
    await work.publish?.(change)
    return change
  }

  private async publishDone(work: CommitWork<F>): Promise<FileChange<F>> {
    await this.deltaLog.makeDurable()
    const change = { dataFiles: this.table.files(), removed: [] }
    await work.publish?.(change)
    return change
  }

  /** Requires the lock. */
  private async followLocked(): Promise<void> {
    try {
      await this.followOrThrow()
      this.failure = undefined
      this.refusal = this.table.refusal(this.deltaLog.state)
    } catch (err) {
      const message = err instanceof Error ? err.message : String(err)
      if (this.failure !== message) this.log.error({ err }, 'cannot follow commits of other engines')
      this.failure = message
      if (err instanceof DataFolderError) this.refusal = message
      throw err
    }
  }

  private async followOrThrow(): Promise<void> {
    let state = await this.deltaLog.readNewerState(this.followConnection)
    if (state === undefined) return
    const before = this.table.files()
    let dataFiles: readonly F[] | undefined
    while (dataFiles === undefined) {
      try {
        dataFiles = await this.table.open(state, before)
      } catch (cause) {
        // A file that was replaced and removed meanwhile is not missing.
        const later: DeltaState | undefined = await this.deltaLog.readNewerState(this.followConnection)
        if (later === undefined || later.version === state.version) throw cause
        state = later
      }
    }
    const commits = state.version - this.deltaLog.state.version
    this.deltaLog.adopt(state)
    const kept = new Set(dataFiles)
    await this.table.follow({ dataFiles, removed: before.filter((file) => !kept.has(file)) })
    this.stats.foreignCommits += commits
    this.log.info({ commits, version: state.version, files: dataFiles.length }, 'followed commits of other engines')
  }
}
