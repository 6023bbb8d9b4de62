import { itemAt } from '../../../lib/present.ts'
import { checkRowCount } from '../rows/read-run-rows.ts'
import type { RowScore, RunRows } from '../rows/run-rows.ts'
import type { RunValues } from './compare-scores.ts'

/** A score that is compared, and where it is in the scores of a trial. */
interface NamedPath {
  readonly score: string
  readonly path: readonly string[]
}

interface FoundRun {
  readonly id: string
  readonly rows: RunRows
}

type OfRun = Omit<RunValues, 'evaluationId' | 'values'>

interface Parts {
  readonly digests: readonly string[]
  readonly positions: ReadonlyMap<string, number>
  readonly order: readonly number[]
  readonly scores: readonly string[]
  readonly warnings: readonly string[]
  readonly runs: ReadonlyMap<string, PlacedRun>
  readonly means: readonly ReadonlyMap<string, Float64Array>[]
  readonly rates: readonly boolean[]
}

/** The rows of compared runs with everything that was scored, in memory. */
export class ComparedRunRows {
  /** By position, ascending. */
  readonly digests: readonly string[]
  /** Position by digest. */
  readonly positions: ReadonlyMap<string, number>
  /** Positions in the order in which the first run that has them began them. */
  readonly order: readonly number[]
  /** With numbers or booleans, by name. */
  readonly scores: readonly string[]
  readonly warnings: readonly string[]
  private readonly runs: ReadonlyMap<string, PlacedRun>
  /** By score and run. */
  private readonly means: readonly ReadonlyMap<string, Float64Array>[]
  private readonly rates: readonly boolean[]

  private constructor(parts: Parts) {
    this.digests = parts.digests
    this.positions = parts.positions
    this.order = parts.order
    this.scores = parts.scores
    this.warnings = parts.warnings
    this.runs = parts.runs
    this.means = parts.means
    this.rates = parts.rates
  }

  /** @throws DomainError InvalidRequest for too many rows */
  static of(ids: readonly string[], runs: ReadonlyMap<string, RunRows>): ComparedRunRows {
    const found = ids.flatMap((id): FoundRun[] => {
      const rows = runs.get(id)
      return rows === undefined ? [] : [{ id, rows }]
    })
    const digests = digestsOf(found)
    checkRowCount(digests.length)
    const positions = new Map(digests.map((digest, at) => [digest, at]))
    const placed = new Map<string, PlacedRun>()
    for (const { id, rows } of found) placed.set(id, new PlacedRun(rows, positions, digests))
    const isCut = found.some(({ rows }) => rows.isCut)
    return new ComparedRunRows({
      digests,
      positions,
      runs: placed,
      order: orderOf(digests.length, [...placed.values()]),
      ...scoresOf(placed),
      warnings: isCut ? ['The scores have too many distinct paths; some are not compared'] : [],
    })
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    const { size } = this.positions
    return size * (120 + this.runs.size * (100 + 8 * this.scores.length))
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

  /** A run that has rows. */
  run(evaluationId: string): PlacedRun | undefined {
    return this.runs.get(evaluationId)
  }

  /** The runs of which every row is in at least one, as few as that takes, first ones first. */
  get coveringRuns(): readonly string[] {
    const needed = new Set<string>()
    const covered = new Uint8Array(this.digests.length)
    for (const [id, { trials }] of this.runs) {
      for (const at of covered.keys()) {
        if (covered[at] === 1 || itemAt(trials, at) === 0) continue
        covered[at] = 1
        needed.add(id)
      }
    }
    return [...needed]
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

/** The digests of all runs, ascending. */
function digestsOf(runs: readonly FoundRun[]): readonly string[] {
  const [first, ...others] = runs.map(({ rows }) => rows.digests)
  if (first === undefined || others.every((each) => haveSame(each, first))) return first ?? []
  return [...new Set([...first, ...others.flat()])].sort((a, b) => (a < b ? -1 : 1))
}

function orderOf(count: number, runs: readonly PlacedRun[]): number[] {
  const firstRun = new Int32Array(count).fill(runs.length)
  const starts = new Float64Array(count)
  for (const [rank, { trials, startedAt }] of runs.entries()) {
    for (let at = 0; at < count; at++) {
      if (itemAt(trials, at) === 0 || itemAt(firstRun, at) < runs.length) continue
      firstRun[at] = rank
      starts[at] = itemAt(startedAt, at)
    }
  }
  return [...starts.keys()].sort(
    (a, b) => itemAt(firstRun, a) - itemAt(firstRun, b) || itemAt(starts, a) - itemAt(starts, b) || a - b,
  )
}

/** The scores that hold numbers or booleans, by name, with their values. */
function scoresOf(runs: ReadonlyMap<string, PlacedRun>): Pick<Parts, 'scores' | 'means' | 'rates'> {
  const paths = new Map<string, readonly string[]>()
  for (const { scores } of runs.values()) for (const { path } of scores) paths.set(JSON.stringify(path), path)
  // The deeper one, if two paths have the same name.
  const inOrder = [...paths.values()].sort(
    (a, b) => a.length - b.length || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1),
  )
  const byName = new Map(inOrder.map((path): [string, NamedPath] => [path.join('.'), { score: path.join('.'), path }]))
  const named = [...byName.values()].sort((a, b) => (a.score < b.score ? -1 : 1))
  const means: Map<string, Float64Array>[] = []
  const rates: boolean[] = []
  for (const { path } of named) {
    const found = [...runs].flatMap(([id, { scores }]) => {
      const score = scores.find((each) => haveSame(each.path, path))
      return score === undefined ? [] : [{ id, score }]
    })
    means.push(new Map(found.map(({ id, score }) => [id, score.values])))
    rates.push(found.every(({ score }) => score.isRate))
  }
  return { scores: named.map(({ score }) => score), means, rates }
}

/** The rows of one run at the positions that rows have in a comparison. */
class PlacedRun {
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
const haveSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, index) => text === b[index]))
