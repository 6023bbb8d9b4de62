import type { KeptLease } from '../engine/lake/kept-lease.ts'
import type { Leaving } from '../engine/lake/lease.ts'
import type { PreparedLake } from '../engine/lake/prepared-lake.ts'
import { announceSuccessor, findSuccessor } from '../engine/lake/successor.ts'
import { leaseLimits } from '../lib/limits/objects.ts'
import type { Log } from '../runtime/log.ts'
import type { ObjectStore } from '../runtime/objects/object-store.ts'
import { delay } from '../runtime/platform/event-loop.ts'

interface SuccessorOptions {
  readonly store: ObjectStore
  readonly node: string
  readonly prepared: PreparedLake
  readonly log: Log
}

/**
 * A standby that gets ready to take over, as soon as the node that serves says that it leaves, or
 * is late. See docs/decisions/298-handing-a-lake-over.md.
 */
export class Successor {
  private readonly options: SuccessorOptions
  /** What the holder said last. */
  private told = ''
  private wasLate = false
  private working: Promise<void> = Promise.resolve()

  constructor(options: SuccessorOptions) {
    this.options = options
  }

  /** The lease was renewed. */
  onRenewed(): void {
    this.wasLate = false
  }

  onLate(): void {
    if (this.wasLate) return
    this.wasLate = true
    this.work(() => this.options.prepared.prepare())
  }

  onLeaving(holder: string, leaving: Leaving): void {
    const { store, node, prepared } = this.options
    const told = `${leaving} ${holder}`
    if (told === this.told) return
    this.told = told
    this.work(async () => {
      await announceSuccessor(store, { holder, node, isReady: false })
      await prepared.prepare()
      if (leaving === 'now') await announceSuccessor(store, { holder, node, isReady: true })
    })
  }

  /** Waits for what is being prepared. */
  async end(): Promise<void> {
    await this.working
  }

  private work(task: () => Promise<void>): void {
    this.working = this.working
      .then(task)
      .catch((err: unknown) => this.options.log.warn({ err }, 'could not prepare to take over; that takes longer now'))
  }
}

/** A node that leaves, until another one is ready to take over. */
export class HandOver {
  private readonly store: ObjectStore
  private readonly lease: KeptLease
  private readonly log: Log
  private announcedMs = 0

  constructor(options: { readonly store: ObjectStore; readonly lease: KeptLease; readonly log: Log }) {
    this.store = options.store
    this.lease = options.lease
    this.log = options.log
  }

  async announce(): Promise<void> {
    await this.lease.announce('soon')
    this.announcedMs = performance.now()
  }

  /**
   * Waits until a standby is ready to take over, as long as it may take one to say that it is
   * there, and then to read what is new.
   *
   * @returns false if there is none, or the store does not answer
   */
  async waitForSuccessor(): Promise<boolean> {
    if (!(await this.waitFor((state) => state !== 'none', this.announcedMs + leaseLimits.successorMs))) return false
    await this.lease.announce('now')
    return await this.waitFor((state) => state === 'ready', performance.now() + leaseLimits.successorReadyMsMax)
  }

  private async waitFor(isEnough: (state: Awaited<ReturnType<typeof findSuccessor>>) => boolean, untilMs: number) {
    try {
      while (this.lease.state === 'held') {
        if (isEnough(await findSuccessor(this.store, this.lease.holder))) return true
        if (performance.now() >= untilMs) break
        await delay(leaseLimits.lookAtLeavingMs)
      }
    } catch (err) {
      this.log.warn({ err }, 'cannot find out whether another node will take over')
    }
    return false
  }
}
