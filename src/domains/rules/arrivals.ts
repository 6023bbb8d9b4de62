import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { present } from '../../lib/present.ts'
import type { CellReader } from '../../lib/table.ts'
import { delay } from '../../runtime/platform/event-loop.ts'

/**
 * Wakes rules together. What is written between two reads has to be moved into DuckDB first, so
 * reads at one time cost much less than the same reads spread over time.
 */
export class Ticks {
  private readonly everyMs: number
  private readonly pending = new Map<number, Promise<unknown>>()

  constructor(everyMs: number) {
    this.everyMs = everyMs
  }

  /** Waits until the first tick at least `ms` from now, or until the signal. */
  async after(ms: number, signal: AbortSignal): Promise<void> {
    await this.until(Math.ceil((performance.now() + ms) / this.everyMs), signal)
  }

  /**
   * Waits until the signal, or between half of the pause and twice as long: longer pauses end at
   * fewer ticks, so that rules with different pauses still meet.
   */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const ticks = 2 ** Math.ceil(Math.log2(Math.max(1, ms / this.everyMs)))
    const earliest = (performance.now() + (ticks * this.everyMs) / 2) / this.everyMs
    await this.until(Math.ceil(earliest / ticks) * ticks, signal)
  }

  private async until(number: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const tick = this.pending.get(number) ?? this.begin(number)
    await new Promise<void>((resolve) => {
      const finish = () => {
        signal.removeEventListener('abort', finish)
        resolve()
      }
      signal.addEventListener('abort', finish)
      void tick.then(finish)
    })
  }

  private begin(number: number): Promise<unknown> {
    const tick = delay(number * this.everyMs - performance.now()).then(() => this.pending.delete(number))
    this.pending.set(number, tick)
    return tick
  }
}

/** Times of writing in microseconds; nothing has arrived if `from` is infinite. */
export interface Arrived {
  readonly from: number
  readonly through: number
}

const nothing: Arrived = { from: Number.POSITIVE_INFINITY, through: 0 }

/** Tells one rule that calls of its project have been stored. */
export class Listener {
  private arrived: Arrived = nothing
  private wake: (() => void) | undefined

  /** Calls that have arrived since the previous call of this function. */
  take(): Arrived {
    const { arrived } = this
    this.arrived = nothing
    return arrived
  }

  /** Waits until something has arrived, or until the signal or the timeout. */
  async wait(signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.arrived !== nothing || signal.aborted) return
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        this.wake = undefined
        resolve()
      }
      const timer = setTimeout(finish, timeoutMs)
      signal.addEventListener('abort', finish)
      this.wake = finish
    })
  }

  add({ from, through }: Arrived): void {
    this.arrived = { from: Math.min(this.arrived.from, from), through: Math.max(this.arrived.through, through) }
    this.wake?.()
  }
}

/**
 * Tells rules when calls of their projects have been stored. Writes pay for a look at two cells of
 * each row, and only while there are rules.
 */
export class Arrivals {
  private readonly store: Store
  private readonly projects = new Map<string, Set<Listener>>()
  private unwatch: (() => void) | undefined

  constructor(store: Store) {
    this.store = store
  }

  listen(projectId: string): Listener {
    const listener = new Listener()
    const listeners = this.projects.get(projectId) ?? new Set()
    this.projects.set(projectId, listeners.add(listener))
    this.unwatch ??= this.store.watch(callsTable.name, (rows) => this.look(rows))
    return listener
  }

  leave(projectId: string, listener: Listener): void {
    const listeners = this.projects.get(projectId)
    if (!listeners?.delete(listener)) return
    if (listeners.size === 0) this.projects.delete(projectId)
    if (this.projects.size > 0) return
    this.unwatch?.()
    this.unwatch = undefined
  }

  /** Rows may change on their way through the store, so they are read beforehand. */
  private look(rows: readonly CellReader[]): (() => void) | undefined {
    const arrived = new Map<string, { from: number; through: number }>()
    let lastProject: string | undefined
    let last: { from: number; through: number } | undefined
    for (const row of rows) {
      const projectId = present(row.text(callsTable.at.project_id), 'project_id')
      const micros = present(row.number(callsTable.at.written_at), 'written_at')
      // The rows of a write are mostly of one project.
      if (projectId !== lastProject) {
        lastProject = projectId
        last = arrived.get(projectId)
        if (last === undefined && this.projects.has(projectId)) {
          last = { from: micros, through: micros }
          arrived.set(projectId, last)
        }
      }
      if (last === undefined) continue
      if (micros < last.from) last.from = micros
      if (micros > last.through) last.through = micros
    }
    return arrived.size === 0 ? undefined : () => this.tell(arrived)
  }

  private tell(arrived: ReadonlyMap<string, Arrived>): void {
    for (const [projectId, times] of arrived) {
      for (const listener of this.projects.get(projectId) ?? []) listener.add(times)
    }
  }
}
