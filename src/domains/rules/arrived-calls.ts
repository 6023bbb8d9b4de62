import type { Store } from '../../engine/store.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { type ArrivedBatch, type CallsOfRule, readArrived, type Sought } from './read-arrived.ts'
import { Semaphore } from './semaphore.ts'

interface Waiting {
  readonly reader: ProjectReader
  readonly sought: Sought
  readonly signal: AbortSignal
  readonly resolve: (found: ArrivedBatch) => void
  readonly reject: (cause: unknown) => void
}

/**
 * Finds the calls that match rules, in order of writing. DuckDB evaluates the conditions. Rules of
 * a project that ask at the same time share one statement: each statement takes time of the main
 * thread, however few calls it returns.
 */
export class ArrivedCalls {
  private readonly store: Store
  private readonly readers = new Semaphore(ruleLimits.ruleReadersMax)
  private waiting: Waiting[] = []

  constructor(store: Store) {
    this.store = store
  }

  /**
   * The ended calls that match a rule, are in its sample and were written after a time: all those
   * of the first times, of which there may be more than a batch if they were written at once.
   *
   * @throws DomainError
   */
  async after(reader: ProjectReader, of: CallsOfRule, after: number, signal: AbortSignal): Promise<ArrivedBatch> {
    const sought = { of, after }
    return await new Promise((resolve, reject) => {
      this.waiting.push({ reader, sought, signal, resolve, reject })
      if (this.waiting.length === 1) void yieldToEventLoop().then(() => this.readAll())
    })
  }

  private readAll(): void {
    const { waiting } = this
    this.waiting = []
    for (const ofProject of Map.groupBy(waiting, ({ reader }) => reader.projectId).values()) {
      for (const together of groups(ofProject)) void this.readTogether(together)
    }
  }

  private async readTogether(together: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.read(together)
      for (const [index, { resolve }] of together.entries()) resolve(found[index]!)
    } catch (cause) {
      if (together.length === 1) return together[0]!.reject(cause)
      // One of them may be the reason.
      for (const one of together) void this.readTogether([one])
    }
  }

  private async read(together: readonly Waiting[]): Promise<ArrivedBatch[]> {
    const { projectId } = together[0]!.reader
    const signal = whenAllAborted(together.map((one) => one.signal))
    const sought = together.map((one) => one.sought)
    return await this.readers.run(() => readArrived(this.store, { projectId, signal }, sought))
  }
}

/** Which rules are read together: none waits for another that is far behind. */
function groups(waiting: readonly Waiting[]): Waiting[][] {
  const byPosition = waiting.toSorted((a, b) => a.sought.after - b.sought.after)
  const made: Waiting[][] = []
  for (const one of byPosition) {
    const last = made.at(-1)
    const first = last?.[0]?.sought
    const isNear = first !== undefined && one.sought.after - first.after < ruleLimits.ruleOverlapMs * 1000
    if (isNear && !first.of.isAlone && !one.sought.of.isAlone && last!.length < ruleLimits.rulesReadTogether)
      last!.push(one)
    else made.push([one])
  }
  return made
}

function whenAllAborted(signals: readonly AbortSignal[]): AbortSignal {
  if (signals.length === 1) return signals[0]!
  const controller = new AbortController()
  const check = () => signals.every(({ aborted }) => aborted) && controller.abort()
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}
