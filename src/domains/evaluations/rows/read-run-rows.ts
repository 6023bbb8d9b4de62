import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { DomainError, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { PriceBook } from '../../costs/index.ts'
import { readScorers } from '../comparison/versions.ts'
import type { Compared } from '../results/trials.ts'
import { measuresStatement } from '../sql/row-measures.ts'
import { firstTrialsStatement, rowsInOrder } from '../sql/row-scores.ts'
import { isRate, keepRows, readRowScores } from './row-scores.ts'
import type { RunRows, UsedScorer } from './run-rows.ts'

/** Rows of a run while they are read. */
class RowsOfRun {
  readonly digests: string[] = []
  readonly firstTrials: string[] = []
  readonly startedAt: number[] = []
  readonly trials: number[] = []
  readonly failed: number[] = []
  readonly failedCalls = new Map<number, string>()
  readonly scorers: UsedScorer[] = []
  private readonly scores = new Map<number, ScoreOfRun>()
  private seconds: Means | undefined
  private dollars: Means | undefined

  get latency(): Means {
    this.seconds ??= new Means(this.digests.length)
    return this.seconds
  }

  get cost(): Means {
    this.dollars ??= new Means(this.digests.length)
    return this.dollars
  }

  score(path: number): ScoreOfRun {
    const known = this.scores.get(path) ?? new ScoreOfRun(this.digests.length)
    this.scores.set(path, known)
    return known
  }

  finish(paths: readonly (readonly string[])[], isCut: boolean): RunRows {
    const scores = [...this.scores].sort(([a], [b]) => a - b)
    return {
      digests: this.digests,
      firstTrials: this.firstTrials,
      startedAt: Float64Array.from(this.startedAt),
      trials: Uint32Array.from(this.trials),
      failed: Uint32Array.from(this.failed),
      latency: this.latency.values(),
      cost: this.cost.values(),
      scores: scores.map(([path, { values, kinds }]) => ({
        path: itemAt(paths, path),
        isRate: isRate(kinds),
        values,
      })),
      failedCalls: this.failedCalls,
      scorers: this.scorers,
      isCut,
    }
  }
}

/** A score of a run while it is read. */
class ScoreOfRun {
  readonly values: Float64Array
  kinds = 0

  constructor(rows: number) {
    this.values = new Float64Array(rows).fill(Number.NaN)
  }

  add(at: number, mean: number | null, kinds: number): void {
    this.values[at] = mean ?? Number.NaN
    this.kinds |= kinds
  }
}

/** Means by row of what is added. */
class Means {
  private readonly sums: Float64Array
  private readonly counts: Uint32Array

  constructor(rows: number) {
    this.sums = new Float64Array(rows)
    this.counts = new Uint32Array(rows)
  }

  add(at: number, value: number | null | undefined): void {
    if (value == null) return
    this.sums[at] = itemAt(this.sums, at) + value
    this.counts[at] = itemAt(this.counts, at) + 1
  }

  values(): Float64Array {
    return this.sums.map((sum, at) => sum / itemAt(this.counts, at))
  }
}

/**
 * Reads the rows of runs from their calls; by run.
 *
 * @throws DomainError InvalidRequest for too many rows
 */
export async function readRunRows(
  snapshot: Snapshot,
  reader: ProjectReader,
  { compared, prices }: { readonly compared: Compared; readonly prices: PriceBook },
): Promise<ReadonlyMap<string, RunRows>> {
  const runs = new Map(compared.roots.map(({ id }) => [id, new RowsOfRun()]))
  const tables = await keepRows(snapshot, compared, { measures: true })
  const slots = new Slots()
  await snapshot.forEachChunk(rowsInOrder(tables), (chunk) => {
    for (const [index, evaluation] of chunk.evaluation.entries()) {
      const run = runs.get(evaluation)
      slots.add(run)
      run?.digests.push(itemAt(chunk.digest, index))
      run?.firstTrials.push(itemAt(chunk.firstTrial, index))
      run?.startedAt.push(itemAt(chunk.startedAt, index))
      run?.trials.push(itemAt(chunk.trials, index))
      run?.failed.push(itemAt(chunk.failed, index))
    }
    for (const { digests } of runs.values()) checkRowCount(digests.length)
  })
  const { paths, isCut } = await readRowScores(snapshot, tables, ({ path, slot, mean, kinds }) => {
    const { run, at } = slots.rowOf(slot)
    run?.score(path).add(at, mean, kinds)
  })
  await snapshot.forEachChunk(measuresStatement(compared.scope, compared.models, tables), (chunk) => {
    for (const [index, slot] of chunk.slot.entries()) {
      const { run, at } = slots.rowOf(slot)
      run?.latency.add(at, chunk.seconds[index])
      run?.cost.add(at, prices.totalCost(chunk.usage[index] ?? null, itemAt(chunk.pricedAt, index)))
      const failed = chunk.failedCall[index]
      if (failed != null && run?.failedCalls.has(at) === false) run.failedCalls.set(at, failed)
    }
  })
  const trials = await snapshot.rows(firstTrialsStatement(tables, operationLimits.trialsOfVersions))
  for (const { name, ref, evaluationId } of await readScorers(snapshot, reader, trials))
    runs.get(evaluationId)?.scorers.push({ name, ref })
  return new Map([...runs].map(([id, run]) => [id, run.finish(paths, isCut)]))
}

/** @throws DomainError InvalidRequest for too many rows */
export function checkRowCount(rows: number): void {
  const { comparedRowsMax: max } = operationLimits
  if (rows > max) throw new DomainError('InvalidRequest', tooMany('rows to compare', rows, max, ' per request'))
}

/** The runs of rows by their slots: those of a run follow each other. */
class Slots {
  private readonly runs: (RowsOfRun | undefined)[] = []
  private readonly starts = new Map<RowsOfRun, number>()

  add(run: RowsOfRun | undefined): void {
    if (run !== undefined && !this.starts.has(run)) this.starts.set(run, this.runs.length)
    this.runs.push(run)
  }

  rowOf(slot: number): { readonly run: RowsOfRun | undefined; readonly at: number } {
    const run = this.runs[slot]
    return { run, at: run === undefined ? 0 : slot - (this.starts.get(run) ?? 0) }
  }
}
