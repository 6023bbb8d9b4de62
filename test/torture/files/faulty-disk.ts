import { mkdirSync } from 'node:fs'
import type { Random } from '../../store/random.ts'
import { copyLive } from './copy-live.ts'
import { type Change, type FileHooks, type Step, systemError, type Verdict } from './hooks.ts'
import { Recorder } from './recorder.ts'

/** A deliberate fault of the harness, which the torture must find. */
export const canaries = ['no-file-sync', 'no-folder-sync', 'lost-write'] as const
export type Canary = (typeof canaries)[number]

/** What happens at which operation, counted from when it is armed. */
export type Plan =
  | {
      readonly kind: 'fail'
      readonly at: number
      /** How many operations fail, from that one on. */
      readonly times: number
      readonly code: string
      /** Reads fail instead of changes. */
      readonly reads: boolean
      /** Bytes that a write still writes before it fails. */
      readonly after?: number
    }
  | { readonly kind: 'kill' | 'power loss'; readonly at: number; readonly image: string }

const sectorBytes = 512
const pageBytes = 4096

/** A disk under one folder: fails, loses power and lies as planned. */
export class FaultyDisk implements FileHooks {
  readonly root: string
  /** What happened, for the report. */
  readonly events: string[] = []
  /** The process on this disk has died; its image is complete. */
  isDead = false
  private readonly random: Random
  private readonly recorder: Recorder
  private readonly canary: Canary | undefined
  private plan: Plan | undefined
  private count = 0
  private failures = 0
  private halfWritten: string | undefined

  constructor(root: string, random: Random, canary?: Canary) {
    this.root = root
    this.random = random
    this.canary = canary
    this.recorder = new Recorder(root, random.chance(0.5) ? sectorBytes : pageBytes)
  }

  arm(plan: Plan): void {
    this.plan = plan
    this.count = 0
    this.failures = 0
  }

  get hasFailed(): boolean {
    return this.failures > 0
  }

  /** Ends what is planned. @returns whether it happened */
  disarm(): boolean {
    const { hasFailed } = this
    this.plan = undefined
    this.failures = 0
    this.halfWritten = undefined
    return hasFailed
  }

  before(step: Step): Verdict {
    if (this.isDead) return { does: 'fail', error: systemError('EIO', step) }
    const { plan } = this
    if (plan === undefined) return this.passed(step)
    if (plan.kind === 'fail') return this.failing(step, plan)
    if (step.kind === 'read' || step.kind === 'open') return this.passed(step)
    if (++this.count < plan.at) return this.passed(step)
    this.die(plan, step)
    return { does: 'fail', error: systemError('EIO', step) }
  }

  done(change: Change): void {
    if (!this.isDead) this.recorder.take(change)
  }

  private passed(step: Step): Verdict {
    const { canary } = this
    if (step.kind === 'sync' && canary !== undefined) {
      // Folders have no extension, files have.
      const isFolder = !/\.\w+$/.test(step.path)
      if ((canary === 'no-file-sync' && !isFolder) || (canary === 'no-folder-sync' && isFolder))
        return { does: 'pretend' }
    }
    if (canary === 'lost-write' && step.kind === 'write' && step.path.endsWith('.arrows') && this.random.chance(0.1))
      return { does: 'pretend' }
    return { does: 'pass' }
  }

  private failing(step: Step, plan: Plan & { kind: 'fail' }): Verdict {
    if ((step.kind === 'read') !== plan.reads || step.kind === 'open') return this.passed(step)
    // Space can be freed on a full disk, and the sync after it succeeds.
    if (plan.code === 'ENOSPC' && ['remove', 'cut', 'sync'].includes(step.kind)) return this.passed(step)
    if (plan.code === 'EMFILE' && step.kind !== 'create') return this.passed(step)
    if (++this.count < plan.at || this.failures >= plan.times) return this.passed(step)
    if (step.kind === 'write' && plan.after !== undefined && this.halfWritten !== step.path) {
      this.halfWritten = step.path
      return { does: 'write less', bytes: plan.after }
    }
    this.failures++
    this.events.push(`${plan.code} at ${step.kind} ${step.path.slice(this.root.length)}`)
    // Linux marks pages as clean after a failed sync.
    if (step.kind === 'sync' && this.random.chance(0.7)) this.recorder.failSync(step.path)
    return { does: 'fail', error: systemError(plan.code, step) }
  }

  private die({ kind, image }: Plan & { kind: 'kill' | 'power loss' }, step: Step): void {
    this.isDead = true
    this.events.push(`${kind} before ${step.kind} ${step.path.slice(this.root.length)}`)
    if (kind === 'kill') copyLive(this.root, image)
    else {
      mkdirSync(image)
      this.recorder.loseTo(image, this.random)
    }
  }
}
