import type { Trace, TracedCall } from '../../src/demo/traces/call-items.ts'

/** How a call ended itself, whatever became of the calls below it. */
export type CallStatus = 'running' | 'error' | 'success'

/** What the server has to hold once everything is sent. */
export class Tally {
  readonly traceIds: string[] = []
  readonly perOp = new Map<string, number>()
  readonly perStatus = new Map<CallStatus, number>([
    ['success', 0],
    ['error', 0],
    ['running', 0],
  ])
  calls = 0
  roots = 0
  /** Starts and ends together. */
  items = 0

  static of(traces: Iterable<Trace>): Tally {
    const tally = new Tally()
    for (const trace of traces) tally.add(trace)
    return tally
  }

  private add(trace: Trace): void {
    const root = trace[0]
    if (root) this.traceIds.push(root.start.trace_id)
    for (const call of trace) {
      this.calls += 1
      this.items += call.end ? 2 : 1
      if (call.start.parent_id === undefined) this.roots += 1
      increment(this.perOp, call.start.op_name)
      increment(this.perStatus, statusOf(call))
    }
  }
}

function statusOf({ end }: TracedCall): CallStatus {
  if (!end) return 'running'
  return end.exception ? 'error' : 'success'
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
