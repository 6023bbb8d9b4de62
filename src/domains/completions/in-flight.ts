import { DomainError } from '../../lib/errors.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import type { Interruption } from './provider-error.ts'

/** A provider request in progress. */
export interface Flight extends Disposable {
  readonly signal: AbortSignal
  /** Why the signal was aborted; undefined if it was not. */
  interrupted(): Interruption | undefined
}

/**
 * Provider requests in progress: limited in number and time, aborted when the client disconnects or
 * the server stops.
 */
export class InFlight {
  private readonly stopping = new AbortController()
  private readonly ended = new Set<Promise<void>>()

  /** @throws DomainError Overloaded */
  begin(clientSignal: AbortSignal | undefined, timeoutMs: number): Flight {
    if (this.ended.size >= providerLimits.completionsMax) {
      throw new DomainError(
        'Overloaded',
        `Too many concurrent completions: at most ${providerLimits.completionsMax} are allowed`,
      )
    }
    const late = AbortSignal.timeout(timeoutMs)
    const reasons: [Interruption, AbortSignal][] = [
      ['stopping', this.stopping.signal],
      ['late', late],
    ]
    if (clientSignal !== undefined) reasons.unshift(['left', clientSignal])
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended.add(promise)
    return {
      signal: AbortSignal.any(reasons.map(([, signal]) => signal)),
      interrupted: () => reasons.find(([, signal]) => signal.aborted)?.[0],
      [Symbol.dispose]: () => {
        this.ended.delete(promise)
        resolve()
      },
    }
  }

  /** Aborts all requests and waits until their calls have been ended. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.ended)
  }
}
