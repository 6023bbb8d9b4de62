import { SeededRandom, stableId } from '../traces/seeded-random.ts'

/** When a customer says something, and where in which conversation. */
export interface ScheduledTurn {
  readonly threadId: string
  readonly customerId: string
  /** 0 for the first turn of a thread. */
  readonly turn: number
  readonly beginsMs: number
  /** Whether the bot is still at work on it when the story ends. */
  readonly running: boolean
}

/** What a story is made from. Equal stories are equal to the last character; others share no id. */
export interface Story {
  readonly traces: number
  readonly seed: number
  readonly days: number
  /** The story ends here; nothing happens later. */
  readonly untilMs: number
}

const dayMs = 86_400_000
const hourMs = 3_600_000
/** Room at the end for the longest conversation, and for the turns that are still running. */
const quietMs = 2 * hourMs
const turnsMax = 5
const runningShare = 0.006

/**
 * All turns in the order of their beginnings: conversations of one to five turns, more by day than
 * by night.
 */
export function scheduleTurns(story: Story): ScheduledTurn[] {
  const { traces, seed, days, untilMs } = story
  const random = new SeededRandom(seed)
  const turns: ScheduledTurn[] = []
  for (let thread = 0; turns.length < traces; thread += 1) {
    const threadId = `support-${stableId(...storyKey(story), 'thread', thread).slice(0, 8)}`
    const customerId = `customer-${random.integer(1, 80)}`
    const count = Math.min(random.integer(1, turnsMax), traces - turns.length)
    let beginsMs = busyInstant(random, untilMs - days * dayMs, untilMs - quietMs)
    for (let turn = 0; turn < count; turn += 1) {
      turns.push({ threadId, customerId, turn, beginsMs, running: false })
      beginsMs += random.integer(60_000, 360_000)
    }
  }
  turns.sort((a, b) => a.beginsMs - b.beginsMs)
  return withRunning(turns, untilMs)
}

/** Names a story in ids. */
export function storyKey({ traces, seed, days, untilMs }: Story): (string | number)[] {
  return ['support-bot', traces, seed, days, untilMs]
}

/** The last turns move to the end of the story and have no answer yet. */
function withRunning(turns: readonly ScheduledTurn[], untilMs: number): ScheduledTurn[] {
  const count = Math.ceil(turns.length * runningShare)
  const finished = turns.slice(0, turns.length - count)
  const running = turns.slice(turns.length - count)
  return [
    ...finished,
    ...running.map((turn, index) => ({
      ...turn,
      beginsMs: untilMs - 30_000 + Math.floor((index * 20_000) / count),
      running: true,
    })),
  ]
}

function busyInstant(random: SeededRandom, fromMs: number, toMs: number): number {
  for (;;) {
    const atMs = fromMs + Math.floor(random.fraction() * Math.max(1, toMs - fromMs))
    const hourOfDay = (atMs % dayMs) / hourMs
    const busyness = 0.2 + 0.8 * Math.max(0, Math.cos(((hourOfDay - 14) / 24) * 2 * Math.PI))
    if (random.chance(busyness)) return atMs
  }
}
