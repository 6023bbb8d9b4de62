import { toolLimits } from '../../lib/limits/tools.ts'

/** Counts of one kind of record. */
export interface Count {
  /** Records that the source contains. */
  found: number
  /** Records that the server acknowledged in this run or in the interrupted one before. */
  sent: number
  /** Records that the server refused. */
  refused: number
  /** Records that the server has, looked up by id; undefined if they cannot be looked up. */
  stored: number | undefined
}

/** Counts of records that an import has read, sent and lost. */
export class Tally {
  private readonly counts = new Map<string, Count>()
  private readonly lost = new Map<string, number>()

  of(what: string): Count {
    const count = this.counts.get(what) ?? { found: 0, sent: 0, refused: 0, stored: undefined }
    this.counts.set(what, count)
    return count
  }

  lose(what: string, count = 1): void {
    // Later reasons beyond the limit are counted together.
    const isKnown = this.lost.has(what) || this.lost.size < toolLimits.importLossesNamedMax
    const name = isKnown ? what : 'other reasons'
    this.lost.set(name, (this.lost.get(name) ?? 0) + count)
  }

  get kinds(): readonly (readonly [string, Count])[] {
    return [...this.counts]
  }

  get losses(): readonly (readonly [string, number])[] {
    return [...this.lost]
  }

  get found(): number {
    return this.counts.values().reduce((sum, { found }) => sum + found, 0)
  }

  /** Whether the server has everything that the source contains and that can be imported. */
  get isComplete(): boolean {
    return this.counts
      .values()
      .every(({ found, sent, refused, stored }) => refused === 0 && found === sent && (stored ?? sent) >= sent)
  }
}
