import type { SeededRandom } from './seeded-random.ts'

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
