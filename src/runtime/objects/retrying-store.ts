import { objectLimits } from '../../lib/limits/objects.ts'
import { delay } from '../platform/event-loop.ts'
import {
  type ByteRange,
  type ObjectInfo,
  type ObjectStore,
  ObjectStoreError,
  type PutCondition,
  type StoredObject,
  type Waitable,
} from './object-store.ts'

/** Where retries take their pauses from; tests have their own. */
export interface RetryPace {
  /** Resolves after `ms`; to false if the signal aborts before. */
  wait(ms: number, signal?: AbortSignal): Promise<boolean>
  /** From 0 to 1, without 1. */
  random(): number
}

export const systemPace: RetryPace = { wait: delay, random: Math.random }

/**
 * The pause before the next attempt: it doubles with each failure, up to a maximum, and half of it
 * is random, so that nodes do not come back all at once. At least what the store asks for.
 *
 * @param failures how often it has failed: 1 before the second attempt
 */
export function retryDelayMs(failures: number, cause: unknown, { random }: RetryPace): number {
  const whole = Math.min(objectLimits.retryMsMax, objectLimits.retryMs * 2 ** (failures - 1))
  const asked = cause instanceof ObjectStoreError ? (cause.retryAfterMs ?? 0) : 0
  return Math.max(whole * (0.5 + random() / 2), Math.min(asked, objectLimits.retryMsMax))
}

/** Whether another attempt may succeed without anybody doing anything. */
export const isPassing = (cause: unknown): boolean =>
  cause instanceof ObjectStoreError && (cause.kind === 'slow' || cause.kind === 'unreachable')

/** Repeats an attempt whose failure is a passing one, a bounded number of times. */
export async function withRetries<T>(
  pace: RetryPace,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (cause) {
      await pauseAfter(failures, cause, pace, signal)
    }
  }
}

/** Waits before the next attempt. @throws the cause if there is to be none */
async function pauseAfter(failures: number, cause: unknown, pace: RetryPace, signal?: AbortSignal): Promise<void> {
  if (!isPassing(cause) || failures >= objectLimits.attemptsMax) throw cause
  if (!(await pace.wait(retryDelayMs(failures, cause, pace), signal))) throw cause
}

/**
 * A store whose passing failures are retried, a bounded number of times. A conditional put may
 * lose the race against its own first attempt: see `putOwn`.
 */
export class RetryingStore implements ObjectStore {
  readonly place: string
  private readonly store: ObjectStore
  private readonly pace: RetryPace

  constructor(store: ObjectStore, pace: RetryPace = systemPace) {
    this.place = store.place
    this.store = store
    this.pace = pace
  }

  get(name: string, options: Waitable & { readonly range?: ByteRange | undefined } = {}): Promise<StoredObject> {
    return this.retried(options, () => this.store.get(name, options))
  }

  head(name: string, options: Waitable = {}): Promise<ObjectInfo | undefined> {
    return this.retried(options, () => this.store.head(name, options))
  }

  put(
    name: string,
    bytes: Uint8Array,
    options: Waitable & { readonly when?: PutCondition | undefined } = {},
  ): Promise<string> {
    return this.retried(options, () => this.store.put(name, bytes, options))
  }

  /** Not repeated: the pieces can be read once. Stores retry the parts. */
  putLarge(name: string, pieces: AsyncIterable<Uint8Array>, options: Waitable = {}): Promise<string> {
    return this.store.putLarge(name, pieces, options)
  }

  delete(name: string, options: Waitable = {}): Promise<void> {
    return this.retried(options, () => this.store.delete(name, options))
  }

  /** Goes on after the last name it has given. */
  async *list(
    prefix: string,
    options: Waitable & { readonly after?: string | undefined } = {},
  ): AsyncGenerator<ObjectInfo> {
    let after = options.after
    for (let failures = 0; ; ) {
      try {
        for await (const info of this.store.list(prefix, { ...options, after })) {
          failures = 0
          after = info.name
          yield info
        }
        return
      } catch (cause) {
        failures++
        await pauseAfter(failures, cause, this.pace, options.signal)
      }
    }
  }

  private retried<T>({ signal }: Waitable, attempt: () => Promise<T>): Promise<T> {
    return withRetries(this.pace, signal, attempt)
  }
}
