import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Interruption } from './provider-error.ts'

/** One request to a provider under way. */
export interface Flight extends Disposable {
  readonly signal: AbortSignal
  /** Why the signal fired; undefined where it did not. */
  interrupted(): Interruption | undefined
}

/** The requests to providers that are under way: bounded in number and time, ended when their client leaves or the server stops. */
export class InFlight {
  private readonly stopping = new AbortController()
  private readonly ended = new Set<Promise<void>>()

  /** @throws DomainError Overloaded */
  begin(clientSignal: AbortSignal | undefined, timeoutMs: number): Flight {
    if (this.ended.size >= limits.completionsMax) {
      throw new DomainError(
        'Overloaded',
        `Too many concurrent completions: at most ${limits.completionsMax} are allowed`,
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

  /** Interrupts all of them and waits until they have written their end. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.ended)
  }
}
