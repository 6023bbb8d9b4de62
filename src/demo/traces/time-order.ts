import type { BatchItem, Trace } from './call-items.ts'

interface Event {
  readonly atMs: number
  readonly item: BatchItem
}

/**
 * The starts and ends of all calls in the order they happened, as a busy application would send
 * them: traces overlap, and what comes between the start and the end of a call belongs to others.
 * `traces` come in the order of their first starts; only those under way are held in memory.
 */
export function* inTimeOrder(traces: Iterable<Trace>): Generator<BatchItem> {
  /** Sorted backwards, so that the next event is taken from the end. */
  let waiting: Event[] = []
  for (const trace of traces) {
    const events = trace.flatMap(eventsOf)
    const beginsMs = Math.min(...events.map(({ atMs }) => atMs))
    while (waiting.length > 0 && waiting[waiting.length - 1]!.atMs < beginsMs) yield waiting.pop()!.item
    // Stable, so that of one instant what was told first is taken first.
    waiting = [...events.reverse(), ...waiting].sort((a, b) => b.atMs - a.atMs)
  }
  while (waiting.length > 0) yield waiting.pop()!.item
}

function eventsOf({ start, end }: Trace[number]): Event[] {
  const started: Event = { atMs: Date.parse(start.started_at), item: { mode: 'start', req: { start } } }
  if (!end) return [started]
  return [started, { atMs: Date.parse(end.ended_at), item: { mode: 'end', req: { end } } }]
}
