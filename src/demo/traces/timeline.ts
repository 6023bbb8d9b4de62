import type { BatchItem, Trace } from './call-items.ts'
import type { SeededRandom } from './seeded-random.ts'

interface Event {
  readonly atMs: number
  readonly item: BatchItem
}

/**
 * The starts and ends of all calls in the order they happened, as a busy application would send
 * them: traces overlap, so events of other traces come between the start and the end of a call.
 * `traces` come in the order of their first starts; only those under way are held in memory.
 */
export function* inTimeOrder(traces: Iterable<Trace>): Generator<BatchItem> {
  /** Sorted backwards, so that the next event is taken from the end. */
  let waiting: Event[] = []
  for (const trace of traces) {
    const events = trace.flatMap(eventsOf)
    const beginsMs = Math.min(...events.map(({ atMs }) => atMs))
    for (let next = waiting.at(-1); next !== undefined && next.atMs < beginsMs; next = waiting.at(-1)) {
      waiting.pop()
      yield next.item
    }
    // Stable: events of one instant keep their order.
    waiting = [...events.reverse(), ...waiting].sort((a, b) => b.atMs - a.atMs)
  }
  for (const { item } of waiting.reverse()) yield item
}

function eventsOf({ start, end }: Trace[number]): Event[] {
  const started: Event = { atMs: Date.parse(start.started_at), item: { mode: 'start', req: { start } } }
  if (!end) return [started]
  return [started, { atMs: Date.parse(end.ended_at), item: { mode: 'end', req: { end } } }]
}

/** The clock of one made-up story. It only goes forward. */
export class Timeline {
  private readonly random: SeededRandom
  private atMs: number

  constructor(beginsMs: number, random: SeededRandom) {
    this.atMs = beginsMs
    this.random = random
  }

  /** Now, as ISO 8601 in UTC. */
  now(): string {
    return new Date(this.atMs).toISOString()
  }

  nowMs(): number {
    return this.atMs
  }

  /** Lets about `typicalMs` go by. */
  pass(typicalMs: number): void {
    this.atMs += this.random.durationMs(typicalMs)
  }

  /** Time for a person to read the last answer and to type `text`. */
  passTyping(text: string): void {
    this.pass(1_500 + text.length * 40)
  }

  /** Time for a model to write `tokens`. */
  passGenerating(tokens: number): void {
    this.pass(350 + tokens * 14)
  }
}
