import type { DifferingVersions } from '../model/comparison.ts'
import type { LeaderboardCell, LeaderboardColumn, LeaderboardRow } from '../model/leaderboard.ts'
import type { ListedRun, Named } from '../model/run-list.ts'
import { listedScoreOf, type Metric, scoreOf, summaryFigure } from './metrics.ts'

/** A column with the runs that it may show, the newest first. */
export interface FoundColumn {
  readonly metric: Metric
  readonly evaluation: Named
  readonly isMissing: boolean
  readonly runs: readonly ListedRun[]
}

/** What runs have stored as their summaries, by run; the first one that has a figure gives it. */
export type Summaries = ReadonlyMap<string, readonly unknown[]>

type Unranked = Omit<LeaderboardCell, 'rank'>

/** A row for each version of a model, the best of the first column first. */
export function rowsOf(columns: readonly FoundColumn[], summaries: Summaries): LeaderboardRow[] {
  const models = new Map<string, ListedRun>()
  for (const { runs } of columns) for (const run of runs) if (!models.has(run.model.ref)) models.set(run.model.ref, run)
  const byColumn = columns.map((column) => {
    const runsOf = Map.groupBy(column.runs, ({ model }) => model.ref)
    const cells = [...models.keys()].map((ref) => cellOf(column.metric, runsOf.get(ref) ?? [], summaries))
    return ranked(cells, column.metric.should_minimize === true)
  })
  const rows = [...models.values()].map(
    ({ model, llm, prompt }, index): LeaderboardRow => ({
      model,
      llm,
      prompt,
      cells: byColumn.map((cells) => cells[index] ?? null),
    }),
  )
  const firstRank = ({ cells }: LeaderboardRow): number => cells[0]?.rank ?? rows.length + 1
  return rows.filter(({ cells }) => cells.some(Boolean)).sort((a, b) => firstRank(a) - firstRank(b))
}

/** The figure of a model: of its newest run that has it, or should have it. */
function cellOf(metric: Metric, runs: readonly ListedRun[], summaries: Summaries): Unranked | null {
  for (const run of runs) {
    const scorer = run.scorers.find(({ name }) => name === metric.scorer_name) ?? null
    const score = listedScoreOf(metric, run)
    const value = score?.value ?? summaryFigure(metric, summaries.get(run.evaluation_call_id) ?? [])
    if (value === undefined) {
      // An older figure would hide that the scorer gave none this time.
      if (scorer !== null) return null
      continue
    }
    return {
      value,
      low: score?.low ?? null,
      high: score?.high ?? null,
      interval: score?.interval ?? null,
      scored_rows: score?.scored_rows ?? null,
      unscored_rows: score?.unscored_rows ?? null,
      failed_rows: run.rows_failed,
      evaluation_call_id: run.evaluation_call_id,
      started_at: run.started_at,
      evaluation: run.evaluation,
      dataset: run.dataset,
      scorer,
    }
  }
  return null
}

/** Equal values have equal ranks: 1, 2, 2, 4. */
function ranked(cells: readonly (Unranked | null)[], lowerIsBetter: boolean): (LeaderboardCell | null)[] {
  const sign = lowerIsBetter ? 1 : -1
  const sorted = cells.flatMap((cell) => cell?.value ?? []).sort((a, b) => (a - b) * sign)
  return cells.map((cell) => cell && { ...cell, rank: sorted.indexOf(cell.value) + 1 })
}

/** What the response says of a column. */
export function columnOf(
  { metric, evaluation, runs }: FoundColumn,
  { hasFigure, differing }: { readonly hasFigure: boolean; readonly differing: DifferingVersions[] },
): LeaderboardColumn {
  const { evaluation_object_ref, scorer_name, summary_metric_path } = metric
  const scores = runs.flatMap((run) => listedScoreOf(metric, run) ?? [])
  const kind = scores.some(({ kind: each }) => each === 'mean') ? 'mean' : scores.length > 0 ? 'rate' : 'summary'
  return {
    evaluation_object_ref,
    scorer_name,
    summary_metric_path,
    should_minimize: metric.should_minimize === true,
    all_versions: metric.all_versions === true || evaluation_object_ref.endsWith(':*'),
    evaluation,
    score: scores.length === 0 ? null : (scoreOf(metric) ?? null),
    kind: hasFigure ? kind : null,
    run_count: runs.length,
    differing_versions: differing,
  }
}

/** The datasets and scorers of which the cells of a column have several versions. */
export function differingIn(cells: readonly LeaderboardCell[]): DifferingVersions[] {
  const used = (kind: DifferingVersions['kind'], of: (cell: LeaderboardCell) => Named | null): DifferingVersions[] => {
    const known = cells.flatMap((cell) => {
      const named = of(cell)
      return named === null ? [] : [{ named, id: cell.evaluation_call_id }]
    })
    const byRef = Map.groupBy(known, ({ named }) => named.ref)
    const [first] = known
    if (first === undefined || byRef.size < 2) return []
    const versions = [...byRef].map(([ref, each]) => ({
      ref,
      version_index: each[0]?.named.version ?? null,
      evaluation_call_ids: each.map(({ id }) => id),
    }))
    versions.sort((a, b) => (a.version_index ?? -1) - (b.version_index ?? -1))
    return [{ kind, name: first.named.name, versions }]
  }
  return [...used('dataset', ({ dataset }) => dataset), ...used('scorer', ({ scorer }) => scorer)]
}

/** The same in words. */
export function versionWords({ evaluation, scorer_name }: LeaderboardColumn, of: DifferingVersions): string {
  const each = of.versions.map(({ version_index, ref, evaluation_call_ids: { length } }) => {
    const version = version_index === null ? ref : `v${version_index}`
    return `${version} in ${length} ${length === 1 ? 'run' : 'runs'}`
  })
  const column = `${evaluation.name}, ${scorer_name}`
  return `${column}: the runs have different versions of the ${of.kind} ${of.name} (${each.join(', ')})`
}
