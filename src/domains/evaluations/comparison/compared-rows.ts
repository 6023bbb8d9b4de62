import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { DomainError, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import { type LeafStatistics, readLeaves } from '../results/summary.ts'
import { type Compared, keepScoredTrials } from '../results/trials.ts'
import { rowScoresStatement, rowStatesStatement } from '../sql/row-scores.ts'
import type { RunValues } from './compare-scores.ts'

/** A score that is compared, and where it is in the scores of a trial. */
interface NamedPath {
  readonly score: string
  readonly path: readonly string[]
}

type OfRun = Omit<RunValues, 'evaluationId' | 'values'>

/** The rows of compared runs with everything that was scored, in memory. */
export class ComparedRunRows {
  /** By position. */
  readonly digests: readonly string[]
  /** Position by digest. */
  readonly positions: ReadonlyMap<string, number>
  /** Positions in the order in which the first run that has them began them. */
  readonly order: readonly number[]
  /** With numbers or booleans, by name. */
  readonly scores: readonly string[]
  readonly warnings: readonly string[]
  private readonly runs: ReadonlyMap<string, OfRun>
  /** By score and run. */
  private readonly means: readonly ReadonlyMap<string, Float64Array>[]
  private readonly rates: readonly boolean[]

  private constructor(parts: {
    positions: ReadonlyMap<string, number>
    order: readonly number[]
    scores: readonly string[]
    warnings: readonly string[]
    runs: ReadonlyMap<string, OfRun>
    means: readonly ReadonlyMap<string, Float64Array>[]
    rates: readonly boolean[]
  }) {
    this.digests = [...parts.positions.keys()]
    this.positions = parts.positions
    this.order = parts.order
    this.scores = parts.scores
    this.warnings = parts.warnings
    this.runs = parts.runs
    this.means = parts.means
    this.rates = parts.rates
  }

  /** @throws DomainError InvalidRequest for too many rows */
  static async read(snapshot: Snapshot, compared: Compared): Promise<ComparedRunRows> {
    const table = await keepScoredTrials(snapshot, compared)
    const { positions, runs, order } = await readStates(snapshot, table, compared.ids)
    const { leaves, isCut } = await readLeaves(snapshot, table, 'scores')
    const named = namedPaths(leaves)
    const means = named.map(() => new Map<string, Float64Array>())
    const rates = named.map(() => true)
    if (named.length > 0) {
      const paths = named.map(({ path }) => path)
      await snapshot.forEachChunk(rowScoresStatement(table, paths), (chunk) => {
        for (const [index, place] of chunk.place.entries()) {
          const at = positions.get(itemAt(chunk.digest, index))
          if (at === undefined) continue
          if (chunk.isTruth[index] !== 1) rates[place] = false
          const byRun = itemAt(means, place)
          const run = itemAt(chunk.evaluation, index)
          const values = byRun.get(run) ?? new Float64Array(positions.size).fill(Number.NaN)
          byRun.set(run, values)
          values[at] = itemAt(chunk.mean, index)
        }
      })
    }
    const warnings = isCut ? ['The scores have too many distinct paths; some are not compared'] : []
    return new ComparedRunRows({
      positions,
      runs,
      order,
      scores: named.map(({ score }) => score),
      means,
      rates,
      warnings,
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const { size } = this.positions
    return size * (120 + 8 * this.runs.size * (1 + this.scores.length))
  }

  /** What one run has for one score. */
  valuesOf(score: string, evaluationId: string): RunValues {
    const values = this.means[this.scores.indexOf(score)]?.get(evaluationId) ?? this.filled()
    return { evaluationId, values, ...this.statesOf(evaluationId) }
  }

  /** By row: how many trials a run has, and how many of them failed. */
  statesOf(evaluationId: string): OfRun {
    return this.runs.get(evaluationId) ?? { trials: new Uint32Array(0), failed: new Uint32Array(0) }
  }

  /** Whether all values of a score are booleans. */
  isRate(score: string): boolean {
    return this.rates[this.scores.indexOf(score)] ?? false
  }

  /** Rows that every run has. */
  get sharedCount(): number {
    const runs = [...this.runs.values()]
    return this.order.filter((at) => runs.every(({ trials }) => itemAt(trials, at) > 0)).length
  }

  /** As many NaN as there are rows. */
  filled(): Float64Array {
    return new Float64Array(this.positions.size).fill(Number.NaN)
  }
}

async function readStates(snapshot: Snapshot, table: string, ids: readonly string[]) {
  const found: { evaluation: string; at: number; trials: number; failed: number; startedAt: number }[] = []
  const positions = new Map<string, number>()
  await snapshot.forEachChunk(rowStatesStatement(table), (chunk) => {
    for (const [index, digest] of chunk.digest.entries()) {
      const at = positions.get(digest) ?? positions.size
      positions.set(digest, at)
      found.push({
        at,
        evaluation: itemAt(chunk.evaluation, index),
        trials: itemAt(chunk.trials, index),
        failed: itemAt(chunk.failed, index),
        startedAt: itemAt(chunk.startedAt, index),
      })
    }
    if (positions.size > operationLimits.comparedRowsMax) {
      throw new DomainError(
        'InvalidRequest',
        tooMany('rows to compare', positions.size, operationLimits.comparedRowsMax, ' per request'),
      )
    }
  })
  const runs = new Map(
    ids.map((id) => [id, { trials: new Uint32Array(positions.size), failed: new Uint32Array(positions.size) }]),
  )
  const firstRun = new Int32Array(positions.size).fill(ids.length)
  const starts = new Float64Array(positions.size)
  for (const { evaluation, at, trials, failed, startedAt } of found) {
    const run = runs.get(evaluation)
    if (run === undefined) continue
    run.trials[at] = trials
    run.failed[at] = failed
    const rank = ids.indexOf(evaluation)
    if (rank >= itemAt(firstRun, at)) continue
    firstRun[at] = rank
    starts[at] = startedAt
  }
  const order = [...starts.keys()].sort(
    (a, b) => itemAt(firstRun, a) - itemAt(firstRun, b) || itemAt(starts, a) - itemAt(starts, b) || a - b,
  )
  return { positions, runs, order }
}

/** The scores that hold numbers or booleans, by name. */
function namedPaths(leaves: readonly LeafStatistics[]): readonly NamedPath[] {
  const byName = new Map<string, NamedPath>()
  for (const { path, numberCount, truthCount } of leaves) {
    const score = path.join('.')
    if (numberCount + truthCount > 0) byName.set(score, { score, path })
  }
  return [...byName.values()].sort((a, b) => (a.score < b.score ? -1 : 1))
}
