import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'

/** The source of ids for one piece of work; undefined for random ids. */
export interface IdScope {
  ids: DeterministicIds | undefined
}

const scopes = new AsyncLocalStorage<IdScope>()

/** A new UUIDv7 (RFC 9562); deterministic if the current work may be repeated. */
export const newId = (): string => scopes.getStore()?.ids?.next() ?? uuid()

/** Runs `work`, and everything it starts, with the ids of `scope`, which may be set later. */
export const withIds = <T>(scope: IdScope, work: () => T): T => scopes.run(scope, work)

/** A sequence of UUIDv7s determined by seed and time. */
export class DeterministicIds {
  private readonly seed: string
  private readonly startedMs: number
  private count = 0

  constructor(seed: string, startedMs: number) {
    this.seed = seed
    this.startedMs = startedMs
  }

  next(): string {
    const seq = this.count++
    const random = new Uint8Array(createHash('sha256').update(`${this.seed} ${seq}`).digest()).subarray(0, 16)
    return uuid({ msecs: this.startedMs, seq, random })
  }
}
