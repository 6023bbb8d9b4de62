import { MiB } from '../../lib/bytes.ts'
import { bodyBytes } from '../../lib/limits/memory.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { BytesInFlight } from './bytes-in-flight.ts'

/**
 * Memory budget for the bodies of all requests in progress. See
 * docs/decisions/083-measuring-bodies.md.
 */
export class BodyRooms {
  private readonly texts: BytesInFlight
  private readonly values: BytesInFlight
  private readonly bodyBytesMax: number

  /** @param memoryBytes what `TRACELAKE_MEMORY_MB` says */
  constructor({ bodyBytesMax, memoryBytes }: { readonly bodyBytesMax: number; readonly memoryBytes: number }) {
    this.bodyBytesMax = bodyBytesMax
    const { texts, values } = bodyBytes(memoryBytes, bodyBytesMax)
    const within = (bytesMax: number) =>
      new BytesInFlight({
        what: 'request bodies',
        bytesMax,
        keyBytesMax: bytesMax / 2,
        waitMs: requestLimits.bodyRoomWaitMs,
        waitingMax: requestLimits.bodiesWaitingMax,
      })
    this.texts = within(texts)
    this.values = within(values)
  }

  /** @param key id of the API key of the request */
  enter(key: string): BodyRoom {
    return new BodyRoom({ texts: this.texts, values: this.values, key, bodyBytesMax: this.bodyBytesMax })
  }
}

interface BodyRoomOptions {
  readonly texts: BytesInFlight
  readonly values: BytesInFlight
  readonly key: string
  readonly bodyBytesMax: number
}

/** One request's share of the memory budget for bodies. */
export class BodyRoom {
  private readonly options: BodyRoomOptions
  private readonly held: (() => void)[] = []
  private textBytes = 0
  private hasLeft = false

  constructor(options: BodyRoomOptions) {
    this.options = options
  }

  /**
   * Reserves memory for a text that has grown to `bytes`, so that only received bytes count. Beyond
   * a few MiB it reserves the maximum at once: otherwise many half-received bodies could wait for
   * each other.
   *
   * @throws DomainError Overloaded
   */
  growText(bytes: number): void | Promise<void> {
    if (bytes <= this.textBytes) return
    const { bodyBytesMax, key, texts } = this.options
    const wanted = bytes <= MiB ? bytes : bytes <= 4 * MiB ? 4 * MiB : Math.max(bodyBytesMax, bytes)
    const more = wanted - this.textBytes
    this.textBytes = wanted
    return this.keep(texts.take(key, more))
  }

  /** Reserves memory for the parsed value of a body. @throws DomainError Overloaded */
  takeValue(bytes: number): void | Promise<void> {
    return this.keep(this.options.values.take(this.options.key, bytes))
  }

  /** Releases everything. */
  leave(): void {
    this.hasLeft = true
    for (const give of this.held.splice(0)) give()
  }

  private keep(taken: (() => void) | Promise<() => void>): void | Promise<void> {
    if (typeof taken !== 'function') return taken.then((give) => void this.keep(give))
    if (this.hasLeft) taken()
    else this.held.push(taken)
  }
}
