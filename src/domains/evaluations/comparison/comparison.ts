import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { DomainError, quoted, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { ComparedRun, Comparison, ComparisonRequest } from '../model/comparison.ts'
import { type LeafStatistics, readLeaves } from '../results/summary.ts'
import { type Compared, findCompared, keepScoredTrials } from '../results/trials.ts'
import { rowScoresStatement, rowStatesStatement } from '../sql/row-scores.ts'
import { compareScores, type RunValues, resamplesFor, type ScoreValues } from './compare-scores.ts'
import { confidence } from './intervals.ts'

/** The rows of all runs, and what became of each in each run. */
interface Rows {
  /** Position by digest. */
  readonly positions: ReadonlyMap<string, number>
  readonly runs: ReadonlyMap<string, { readonly trials: Uint32Array; readonly failed: Uint32Array }>
}

/** A score that is compared, and where it is in the scores of a trial. */
interface NamedPath {
  readonly score: string
  readonly path: readonly string[]
}

/**
 * Compares runs with a baseline, score by score: paired by row, with intervals and a verdict. See
 * docs/decisions/250-honest-comparisons.md.
 */
export class EvaluationComparison {
  private readonly store: Store

  constructor({ store }: { store: Store }) {
    this.store = store
  }

  /** @throws DomainError InvalidRequest, NotFound for a run without trials, RequestTooLarge */
  async compare(reader: ProjectReader, request: ComparisonRequest, signal: AbortSignal): Promise<Comparison> {
    const ids = [...new Set(request.evaluation_call_ids)]
    if (ids.length < 2) throw new DomainError('InvalidRequest', 'Compare evaluation runs: name at least two of them')
    const baseline = request.baseline ?? itemAt(ids, 0)
    if (!ids.includes(baseline)) {
      throw new DomainError('InvalidRequest', `Compare with ${quoted(baseline)}: it is not one of the runs`)
    }
    const read = await this.store.read([callsTable.name], { projectId: reader.projectId, signal }, (snapshot) =>
      readRuns(snapshot, reader, { ids, request }),
    )
    const { compared, rows, named, values, warnings } = read
    const runs = compared.roots.map((root): ComparedRun => {
      const { trials, failed } = rowsOf(rows, root.id)
      return {
        evaluation_call_id: root.id,
        display_name: root.displayName,
        evaluation_ref: root.evaluationRef,
        model_ref: root.modelRef,
        started_at: root.startedAt,
        row_count: trials.reduce((count, each) => count + Number(each > 0), 0),
        trial_count: sumOf(trials),
        failed_trial_count: sumOf(failed),
      }
    })
    const scores = named.map(({ score }, place): ScoreValues => {
      const ofRun = ids.map(
        (evaluationId): RunValues => ({
          evaluationId,
          values: values.of(place, evaluationId),
          ...rowsOf(rows, evaluationId),
        }),
      )
      return {
        score,
        isRate: values.isRate(place),
        margin: request.margins?.[score] ?? 0,
        lowerIsBetter: request.lower_is_better?.includes(score) ?? false,
        baseline: itemAt(ofRun, ids.indexOf(baseline)),
        runs: ofRun,
      }
    })
    const resamples = resamplesFor(rows.positions.size, scores.length * (2 * ids.length - 1))
    const found = await compareScores(scores, { resamples, signal })
    return {
      baseline,
      row_count: rows.positions.size,
      shared_row_count: sharedRows(rows),
      confidence,
      resamples,
      comparisons: found.comparisons,
      runs,
      scores: found.scores,
      warnings: [...warnings, ...warningsOf(runs, rows.positions.size, sharedRows(rows))],
    }
  }
}

async function readRuns(
  snapshot: Snapshot,
  reader: ProjectReader,
  { ids, request }: { readonly ids: readonly string[]; readonly request: ComparisonRequest },
) {
  const compared = await findCompared(snapshot, reader, ids, { datasetRows: false })
  const table = await keepScoredTrials(snapshot, compared)
  const rows = await readRows(snapshot, table, compared)
  const missing = ids.find(
    (id) => !compared.roots.some((root) => root.id === id) || sumOf(rowsOf(rows, id).trials) === 0,
  )
  if (missing !== undefined) {
    throw new DomainError('NotFound', `Evaluation run ${quoted(missing)} does not exist, or has no rows yet`)
  }
  const { leaves, isCut } = await readLeaves(snapshot, table, 'scores')
  const named = namedPaths(leaves, request)
  const values = new Values(rows, named.length)
  if (named.length > 0) {
    const statement = rowScoresStatement(
      table,
      named.map(({ path }) => path),
    )
    await snapshot.forEachChunk(statement, (chunk) => {
      for (const [index, place] of chunk.place.entries()) {
        values.set(place, itemAt(chunk.evaluation, index), {
          digest: itemAt(chunk.digest, index),
          mean: itemAt(chunk.mean, index),
          isTruth: itemAt(chunk.isTruth, index) === 1,
        })
      }
    })
  }
  const warnings = isCut ? ['The scores have too many distinct paths; some are not compared'] : []
  return { compared, rows, named, values, warnings }
}

async function readRows(snapshot: Snapshot, table: string, { ids }: Compared): Promise<Rows> {
  const found: { evaluation: string; at: number; trials: number; failed: number }[] = []
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
  for (const { evaluation, at, trials, failed } of found) {
    const run = runs.get(evaluation)
    if (run === undefined) continue
    run.trials[at] = trials
    run.failed[at] = failed
  }
  return { positions, runs }
}

function rowsOf({ runs }: Rows, id: string): { readonly trials: Uint32Array; readonly failed: Uint32Array } {
  return runs.get(id) ?? { trials: new Uint32Array(0), failed: new Uint32Array(0) }
}

const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0)

const sharedRows = ({ positions, runs }: Rows): number =>
  [...positions.values()].filter((at) => [...runs.values()].every(({ trials }) => itemAt(trials, at) > 0)).length

/** The scores that hold numbers or booleans, by name. @throws DomainError InvalidRequest */
function namedPaths(leaves: readonly LeafStatistics[], request: ComparisonRequest): readonly NamedPath[] {
  const byName = new Map<string, NamedPath>()
  for (const { path, numberCount, truthCount } of leaves) {
    const score = path.join('.')
    if (numberCount + truthCount > 0) byName.set(score, { score, path })
  }
  const known = [...byName.keys()].sort()
  const asked = [...(request.scores ?? []), ...Object.keys(request.margins ?? {}), ...(request.lower_is_better ?? [])]
  const unknown = asked.find((score) => !byName.has(score))
  if (unknown !== undefined) {
    const choice = known.length === 0 ? 'no run has scores with numbers or booleans' : `use ${known.join(', ')}`
    throw new DomainError('InvalidRequest', `Unknown score ${quoted(unknown)}: ${choice.slice(0, 1000)}`)
  }
  const chosen = request.scores == null ? known : known.filter((score) => request.scores?.includes(score))
  if (chosen.length > operationLimits.comparedScoresMax) {
    const { comparedScoresMax: max } = operationLimits
    throw new DomainError(
      'InvalidRequest',
      `${tooMany('scores to compare', chosen.length, max)}: name them in \`scores\``,
    )
  }
  return chosen.flatMap((score) => byName.get(score) ?? [])
}

/** Values by score, run and row. */
class Values {
  private readonly rows: Rows
  private readonly means: readonly Map<string, Float64Array>[]
  private readonly rates: boolean[]

  constructor(rows: Rows, scores: number) {
    this.rows = rows
    this.means = Array.from({ length: scores }, () => new Map<string, Float64Array>())
    this.rates = Array.from({ length: scores }, () => true)
  }

  set(place: number, run: string, { digest, mean, isTruth }: { digest: string; mean: number; isTruth: boolean }): void {
    const at = this.rows.positions.get(digest)
    if (at === undefined) return
    if (!isTruth) this.rates[place] = false
    this.of(place, run)[at] = mean
  }

  /** By row; NaN where there is none. */
  of(place: number, run: string): Float64Array {
    const byRun = itemAt(this.means, place)
    const known = byRun.get(run) ?? new Float64Array(this.rows.positions.size).fill(Number.NaN)
    byRun.set(run, known)
    return known
  }

  isRate(place: number): boolean {
    return itemAt(this.rates, place)
  }
}

function warningsOf(runs: readonly ComparedRun[], rows: number, shared: number): string[] {
  const refs = [...new Set(runs.map(({ evaluation_ref }) => evaluation_ref))]
  return [
    ...(refs.length > 1
      ? [`The runs are of ${refs.length} evaluations, whose datasets and scorers may differ: ${refs.join(', ')}`]
      : []),
    ...(shared < rows ? [`Only ${shared} of ${rows} rows are in every run`] : []),
    ...runs
      .filter(({ failed_trial_count }) => failed_trial_count > 0)
      .map(
        ({ evaluation_call_id, failed_trial_count, trial_count }) =>
          `${failed_trial_count} of ${trial_count} trials of run ${evaluation_call_id} failed; no score includes them`,
      ),
  ]
}
