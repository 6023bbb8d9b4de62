import { DomainError } from '../../lib/errors.ts'
import { itemAt, valueAt } from '../../lib/present.ts'

export interface BytesInFlightOptions {
  /** Owner of the bytes, for the error message: "request bodies". */
  readonly what: string
  readonly bytesMax: number
  /** Maximum per key. */
  readonly keyBytesMax: number
  /** How long a request waits for memory, and how many may wait. */
  readonly waitMs: number
  readonly waitingMax: number
}

interface Waiting {
  readonly key: string
  readonly bytes: number
  readonly enter: () => void
}

/**
 * Limits the bytes that requests hold at the same time, in total and per key, so that no key can
 * take everything. Requests wait in order; those whose key has used up its share let others pass.
 */
export class BytesInFlight {
  private readonly options: BytesInFlightOptions
  private readonly heldByKey = new Map<string, number>()
  private readonly waiting: Waiting[] = []
  private held = 0

  constructor(options: BytesInFlightOptions) {
    this.options = options
  }

  /**
   * Reserves `bytes`; a request for more than the share of a key gets the whole share. Synchronous
   * if memory is available.
   *
   * @returns a function that releases the memory; call it once
   * @throws DomainError Overloaded if no memory became available in time
   */
  take(key: string, bytes: number): (() => void) | Promise<() => void> {
    const share = Math.min(bytes, this.options.keyBytesMax)
    if (this.waiting.length === 0 && this.hasRoom(key, share)) return this.enter(key, share)
    return this.wait(key, share)
  }

  private hasRoom(key: string, bytes: number): boolean {
    return this.held + bytes <= this.options.bytesMax && this.isWithinShare(key, bytes)
  }

  private isWithinShare(key: string, bytes: number): boolean {
    return (this.heldByKey.get(key) ?? 0) + bytes <= this.options.keyBytesMax
  }

  private enter(key: string, bytes: number): () => void {
    this.held += bytes
    this.heldByKey.set(key, (this.heldByKey.get(key) ?? 0) + bytes)
    return () => {
      this.held -= bytes
      const left = valueAt(this.heldByKey, key) - bytes
      if (left === 0) this.heldByKey.delete(key)
      else this.heldByKey.set(key, left)
      this.letIn()
    }
  }

  private wait(key: string, bytes: number): Promise<() => void> {
    const { waiting } = this
    if (waiting.length >= this.options.waitingMax) throw this.refusal()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(this.refusal())
        // The next in line may fit now.
        this.letIn()
      }, this.options.waitMs)
      const entry: Waiting = {
        key,
        bytes,
        enter: () => {
          clearTimeout(timer)
          resolve(this.enter(key, bytes))
        },
      }
      waiting.push(entry)
      // The new entry may belong to a key with memory left, behind others without.
      this.letIn()
    })
  }

  private letIn(): void {
    for (let place = 0; place < this.waiting.length; ) {
      const next = itemAt(this.waiting, place)
      if (!this.isWithinShare(next.key, next.bytes)) {
        place++
        continue
      }
      if (this.held + next.bytes > this.options.bytesMax) return
      this.waiting.splice(place, 1)
      next.enter()
    }
  }

  private refusal(): DomainError {
    return new DomainError('Overloaded', `Too many ${this.options.what} are in flight; try again in a moment`)
  }
}
