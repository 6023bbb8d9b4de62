import { DomainError } from '../errors.ts'

export interface BytesInFlightOptions {
  /** What the bytes are of, for the refusal: "bodies of requests". */
  readonly what: string
  readonly bytesMax: number
  /** Of one key. */
  readonly keyBytesMax: number
  /** How long a request waits for room before it is refused, and how many may wait. */
  readonly waitMs: number
  readonly waitingMax: number
}

interface Waiting {
  readonly key: string
  readonly bytes: number
  readonly enter: () => void
}

/**
 * Bounds the bytes that requests hold at the same time, over all and for each key, so that no key can take all of it. Requests wait in their
 * order; those of a key that has its share let others pass.
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
   * Takes room for `bytes`; one that wants more than a key may have gets a key's whole share. Nothing to wait for where there is room.
   *
   * @returns what gives the room back; call it once
   * @throws DomainError Overloaded where there was none in time
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
      const left = this.heldByKey.get(key)! - bytes
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
        // Whoever stood behind may have room.
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
      // It may be of a key with room, behind those of one without.
      this.letIn()
    })
  }

  private letIn(): void {
    for (let place = 0; place < this.waiting.length; ) {
      const next = this.waiting[place]!
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
