import type { Store } from '../../engine/store.ts'
import { KeyedMutex } from '../../lib/concurrency.ts'
import { DomainError } from '../../lib/errors.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import { Caller, type ProjectWriter } from '../access/index.ts'
import type { Job, Jobs } from '../jobs/index.ts'
import type { Rules } from '../rules/index.ts'
import { type ErasureProgress, eraseProject, erasureKind } from './erase-project.ts'
import type { Retention } from './retention.ts'

/** The erasure of a project, and how far it has come since the start of the server. */
export interface Erasure {
  readonly job: Job
  readonly progress: ErasureProgress | undefined
}

interface ErasuresParts {
  readonly store: Store
  readonly clock: Clock
  readonly jobs: Jobs
  readonly rules: Rules
  readonly retention: Retention
  /** Forgets what other parts of the server hold about a project outside of the store. */
  readonly forget: (projectId: string) => Promise<void>
}

/**
 * Erases projects: durable jobs, so an erasure goes on after a restart. From its request until its
 * end the project appears empty and refuses writes.
 */
export class Erasures {
  private readonly parts: ErasuresParts
  private readonly progress = new Map<string, ErasureProgress>()
  private readonly started = Promise.withResolvers<void>()
  /** Requests for one project take turns, so that it has one erasure at a time. */
  private readonly requests = new KeyedMutex()

  constructor(parts: ErasuresParts) {
    this.parts = parts
    parts.jobs.register(erasureKind, {
      run: async (job, signal, progressed) => {
        await this.run(job, signal, progressed)
        return 'done'
      },
      fail: async ({ projectId }) => parts.store.erasure.reveal(projectId),
      // What is erased in part has to stay hidden until the rest is gone.
      mustFinish: true,
    })
  }

  /** Hides the projects of unfinished erasures. Call once, before requests are answered. */
  async resume(): Promise<void> {
    const { jobs, store } = this.parts
    for (const { kind, projectId } of await jobs.listUndone())
      if (kind === erasureKind) await store.erasure.hide(projectId)
  }

  /** Lets jobs proceed. Call once, when the rules have been read. */
  start(): void {
    this.started.resolve()
  }

  /** Begins to erase a project: it reads as empty when this returns. */
  async begin(writer: ProjectWriter, userName: string): Promise<Erasure> {
    return await this.requests.run(writer.projectId, () => this.beginOne(writer, userName))
  }

  private async beginOne({ projectId, userId }: ProjectWriter, userName: string): Promise<Erasure> {
    const { jobs, store } = this.parts
    if (store.erasure.hides(projectId)) {
      const [running] = await this.list({ projectId, limit: 1 })
      if (running !== undefined) return running
    }
    const id = newId()
    const job = { id, projectId, kind: erasureKind, request: {}, userId, userName }
    await jobs.enqueue(job, () => store.erasure.hide(projectId))
    const [begun] = await this.list({ projectId, limit: 1 })
    if (begun === undefined) throw new Error(`The erasure ${id} is not stored`)
    return begun
  }

  /** The newest first. */
  async list({ projectId, limit }: { projectId: string | undefined; limit: number }): Promise<Erasure[]> {
    const jobs = await this.parts.jobs.list({ projectId, states: [], kind: erasureKind, limit })
    return jobs.map((job) => ({ job, progress: this.progress.get(job.id) }))
  }

  /**
   * Unfinished jobs of the same project, without erasures that began earlier: two that stopped each
   * other would wait for each other for ever.
   */
  private async othersOf({ id, projectId }: Job): Promise<string[]> {
    const undone = (await this.parts.jobs.listUnfinished()).filter((other) => other.projectId === projectId)
    const own = undone.findIndex((other) => other.id === id)
    return undone
      .filter(({ kind }, index) => index > own || (index < own && kind !== erasureKind))
      .map((other) => other.id)
  }

  private async run(job: Job, signal: AbortSignal, progressed: () => Promise<void>): Promise<void> {
    const { store, clock, jobs, rules, retention, forget } = this.parts
    const { projectId } = job
    await this.started.promise
    await store.erasure.hide(projectId)
    const writer = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).write(projectId)
    for (const { id } of rules.list(writer)) await rules.delete(writer, id)
    await jobs.drop(projectId, await this.othersOf(job))
    await progressed()
    const onProgress = (progress: ErasureProgress) => void this.progress.set(job.id, progress)
    const { damagedFiles } = await eraseProject({ store, clock }, projectId, { signal, onProgress })
    retention.forget(projectId)
    await forget(projectId)
    store.erasure.reveal(projectId)
    if (damagedFiles > 0) {
      throw new DomainError(
        'DataDamaged',
        `${damagedFiles} damaged files may contain rows of the project: run "tracelake repair", then erase it again`,
      )
    }
  }
}
