import { itemAt } from '../../../lib/present.ts'
import type { RowScore, RunRows } from '../rows/run-rows.ts'

/** The rows of one run at the positions that rows have in a comparison. */
export class PlacedRun {
  readonly trials: Uint32Array
  readonly failed: Uint32Array
  /** In microseconds; 0 for rows that the run does not have. */
  readonly startedAt: Float64Array
  readonly latency: Float64Array
  readonly cost: Float64Array
  readonly scores: readonly RowScore[]
  private readonly rows: RunRows
  /** Place in the run by position, from 1; undefined if the run has all rows. */
  private readonly places: Uint32Array | undefined

  /** @param digests those of the comparison, which are at `positions` */
  constructor(rows: RunRows, positions: ReadonlyMap<string, number>, digests: readonly string[]) {
    this.rows = rows
    if (!haveSame(rows.digests, digests)) {
      this.places = new Uint32Array(digests.length)
      for (const [index, digest] of rows.digests.entries()) {
        const at = positions.get(digest)
        if (at !== undefined) this.places[at] = index + 1
      }
    }
    this.trials = this.placedCounts(rows.trials)
    this.failed = this.placedCounts(rows.failed)
    this.startedAt = this.placed(rows.startedAt, 0)
    this.latency = this.placed(rows.latency)
    this.cost = this.placed(rows.cost)
    this.scores = rows.scores.map((score) => ({ ...score, values: this.placed(score.values) }))
  }

  /** The id of the first trial of a row; undefined if the run does not have it. */
  firstTrialAt(at: number): string | undefined {
    const place = this.placeOf(at)
    return place < 0 ? undefined : this.rows.firstTrials[place]
  }

  /** The call that says why a trial of the row failed. */
  failedCallAt(at: number): string | undefined {
    return this.rows.failedCalls.get(this.placeOf(at))
  }

  private placeOf(at: number): number {
    return this.places === undefined ? at : itemAt(this.places, at) - 1
  }

  private placed(values: Float64Array, missing = Number.NaN): Float64Array {
    return this.places === undefined
      ? values
      : Float64Array.from(this.places, (place) => (place === 0 ? missing : itemAt(values, place - 1)))
  }

  private placedCounts(counts: Uint32Array): Uint32Array {
    return this.places === undefined
      ? counts
      : this.places.map((place) => (place === 0 ? 0 : itemAt(counts, place - 1)))
  }
}

/** Whether two lists have the same texts in the same order. */
export const haveSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, index) => text === b[index]))
