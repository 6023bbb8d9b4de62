import { DomainError, quoted, tooMany } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { itemAt } from '../../../lib/present.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Objects } from '../../objects/index.ts'
import type { ComparedRun, Comparison, ComparisonRequest } from '../model/comparison.ts'
import type { RowMeasures } from '../rows/run-rows.ts'
import { compareScores, type RunValues, resamplesFor, type ScoreValues } from './compare-scores.ts'
import type { ComparedRunRows } from './compared-rows.ts'
import { confidence } from './intervals.ts'
import { differingVersions, readDatasets, versionWarnings } from './versions.ts'
import type { ComparisonView, ComparisonViews } from './views.ts'

/**
 * Compares runs with a baseline, score by score: paired by row, with intervals and a verdict. See
 * docs/decisions/250-honest-comparisons.md.
 */
export class EvaluationComparison {
  private readonly views: ComparisonViews
  private readonly objects: Objects

  constructor({ views, objects }: { views: ComparisonViews; objects: Objects }) {
    this.views = views
    this.objects = objects
  }

  /** @throws DomainError InvalidRequest, NotFound for a run without trials */
  async compare(reader: ProjectReader, request: ComparisonRequest, signal: AbortSignal): Promise<Comparison> {
    const { ids, baseline } = comparedIds(request)
    const view = await this.views.of(reader, ids, request.view, signal)
    const { rows, roots } = view
    const chosen = chosenScores(rows, request)
    const wanted = new Set(request.measures ?? [])
    const isMeasured = request.include_measures === true || wanted.size > 0
    const measures = isMeasured ? measuresOf(rows, ids) : undefined
    const scores = chosen.map((score): ScoreValues => {
      const runs = ids.map((id) => rows.valuesOf(score, id))
      return {
        score,
        isRate: rows.isRate(score),
        margin: request.margins?.[score] ?? 0,
        lowerIsBetter: request.lower_is_better?.includes(score) ?? false,
        baseline: itemAt(runs, ids.indexOf(baseline)),
        runs,
      }
    })
    const measured =
      measures === undefined
        ? []
        : [...wanted].map((name) => measuredValues(name, { ids, baseline, measures, rows, request }))
    const series = [...scores, ...measured]
    const resamples = resamplesFor(rows.positions.size, series.length * (2 * ids.length - 1))
    const found = await compareScores(series, { resamples, signal })
    const used = [...(await readDatasets(this.objects, reader, view)), ...view.scorers]
    const differing = await differingVersions(this.objects, reader, { used, scores: chosen })
    const runs = roots.map((root) => runOf(root, rows, measures))
    return {
      view: view.id,
      baseline,
      row_count: rows.positions.size,
      shared_row_count: rows.sharedCount,
      confidence,
      resamples,
      comparisons: found.comparisons,
      runs,
      scores: found.scores.slice(0, scores.length),
      measures: found.scores.slice(scores.length),
      differing_versions: differing,
      warnings: [...rows.warnings, ...versionWarnings(differing), ...warningsOf(runs, rows)],
    }
  }
}

/** The runs of a request, without duplicates. @throws DomainError InvalidRequest */
export function comparedIds({
  evaluation_call_ids,
  baseline: named,
}: Pick<ComparisonRequest, 'evaluation_call_ids' | 'baseline'>): {
  readonly ids: readonly string[]
  readonly baseline: string
} {
  const ids = [...new Set(evaluation_call_ids)]
  if (ids.length < 2) throw new DomainError('InvalidRequest', 'Compare evaluation runs: name at least two of them')
  const baseline = named ?? itemAt(ids, 0)
  if (ids.includes(baseline)) return { ids, baseline }
  throw new DomainError('InvalidRequest', `Compare with ${quoted(baseline)}: it is not one of the runs`)
}

/** @throws DomainError InvalidRequest for a score that no run has */
export function checkScores(rows: ComparedRunRows, asked: readonly string[], also: readonly string[] = []): void {
  const unknown = asked.find((score) => !rows.scores.includes(score) && !also.includes(score))
  if (unknown === undefined) return
  const choice =
    rows.scores.length === 0 ? 'no run has scores with numbers or booleans' : `use ${rows.scores.join(', ')}`
  throw new DomainError('InvalidRequest', `Unknown score ${quoted(unknown)}: ${choice.slice(0, 1000)}`)
}

function chosenScores(rows: ComparedRunRows, request: ComparisonRequest): readonly string[] {
  const { scores, margins, lower_is_better, measures } = request
  checkScores(rows, [...(scores ?? []), ...(lower_is_better ?? [])])
  checkScores(rows, Object.keys(margins ?? {}), measures ?? [])
  const chosen = scores == null ? rows.scores : rows.scores.filter((score) => scores.includes(score))
  const { comparedScoresMax: max } = operationLimits
  if (chosen.length <= max) return chosen
  throw new DomainError(
    'InvalidRequest',
    `${tooMany('scores to compare', chosen.length, max)}: name them in \`scores\``,
  )
}

function measuresOf(rows: ComparedRunRows, ids: readonly string[]): RowMeasures {
  const of = (name: keyof RowMeasures) =>
    new Map(ids.map((id): [string, Float64Array] => [id, rows.run(id)?.[name] ?? rows.filled()]))
  return { cost: of('cost'), latency: of('latency') }
}

/** A measure as if it were a score. */
function measuredValues(
  name: keyof RowMeasures,
  of: {
    readonly ids: readonly string[]
    readonly baseline: string
    readonly measures: RowMeasures
    readonly rows: ComparedRunRows
    readonly request: ComparisonRequest
  },
): ScoreValues {
  const { ids, baseline, measures, rows, request } = of
  const runs = ids.map(
    (evaluationId): RunValues => ({
      evaluationId,
      values: measures[name].get(evaluationId) ?? rows.filled(),
      ...rows.statesOf(evaluationId),
    }),
  )
  return {
    score: name,
    isRate: false,
    margin: request.margins?.[name] ?? 0,
    lowerIsBetter: true,
    baseline: itemAt(runs, ids.indexOf(baseline)),
    runs,
  }
}

function runOf(
  { id, displayName, evaluationRef, modelRef, startedAt, traceId }: ComparisonView['roots'][number],
  rows: ComparedRunRows,
  measures: RowMeasures | undefined,
): ComparedRun {
  const { trials, failed } = rows.statesOf(id)
  const [cost, latency] = [meanOf(measures?.cost.get(id)), meanOf(measures?.latency.get(id))]
  return {
    evaluation_call_id: id,
    display_name: displayName,
    evaluation_ref: evaluationRef,
    model_ref: modelRef,
    started_at: startedAt,
    trace_id: traceId,
    row_count: trials.reduce((count, each) => count + Number(each > 0), 0),
    trial_count: sumOf(trials),
    failed_trial_count: sumOf(failed),
    mean_cost: cost.mean,
    cost_rows: cost.count,
    mean_latency: latency.mean,
    latency_rows: latency.count,
  }
}

const sumOf = (counts: Uint32Array): number => counts.reduce((sum, count) => sum + count, 0)

/** The mean of the values that are known. */
export function meanOf(values: Float64Array | undefined): { readonly mean: number | null; readonly count: number } {
  let sum = 0
  let count = 0
  for (const value of values ?? []) {
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return { mean: count === 0 ? null : sum / count, count }
}

function warningsOf(runs: readonly ComparedRun[], rows: ComparedRunRows): string[] {
  const [shared, all] = [rows.sharedCount, rows.positions.size]
  return [
    ...(shared < all ? [`Only ${shared} of ${all} rows are in every run`] : []),
    ...runs
      .filter(({ failed_trial_count }) => failed_trial_count > 0)
      .map(
        ({ evaluation_call_id, failed_trial_count, trial_count }) =>
          `${failed_trial_count} of ${trial_count} trials of run ${evaluation_call_id} failed; no score includes them`,
      ),
  ]
}
