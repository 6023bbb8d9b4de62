import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { v7 as uuid } from 'uuid'

/** Where the ids of one piece of work come from; undefined for ids that nobody can foresee. */
export interface IdScope {
  ids: DeterministicIds | undefined
}

const scopes = new AsyncLocalStorage<IdScope>()

/** An id for something new, a UUIDv7 (RFC 9562): repeatable where the work in hand may be repeated. */
export const newId = (): string => scopes.getStore()?.ids?.next() ?? uuid()

/** Runs `work`, and all that it starts, with the ids of `scope`, which may be set later. */
export const withIds = <T>(scope: IdScope, work: () => T): T => scopes.run(scope, work)

/** UUIDv7s that are the same ones again, in the same order, for the same seed and time. */
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
