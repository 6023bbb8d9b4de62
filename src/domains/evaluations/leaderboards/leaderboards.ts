import type { Store } from '../../../engine/store.ts'
import { findObjectRef } from '../../../formats/dialect/parsed-ref.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { forEachConcurrent } from '../../../lib/concurrency.ts'
import { DomainError, quoted } from '../../../lib/errors.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Objects, ObjectVersion } from '../../objects/index.ts'
import { findVersion } from '../comparison/versions.ts'
import { EvaluationCalls } from '../evaluation-calls.ts'
import type { EvaluationRunList } from '../list/run-list.ts'
import type { Leaderboard, LeaderboardRequest, LeaderboardRow } from '../model/leaderboard.ts'
import type { ListedRun, Named } from '../model/run-list.ts'
import { columnOf, differingIn, type FoundColumn, rowsOf, type Summaries, versionWords } from './figures.ts'
import { listedScoreOf, type Metric } from './metrics.ts'

const objectClass = 'Leaderboard'

/**
 * Leaderboards: the figures of models on evaluations, each of the newest finished run that should
 * have it. See docs/decisions/223-figures-of-leaderboards.md.
 */
export class Leaderboards {
  private readonly usedScorers: UsedScorers
  private readonly runs: EvaluationRunList
  private readonly objects: Objects
  private readonly calls: EvaluationCalls

  constructor({ store, runs, objects }: { store: Store; runs: EvaluationRunList; objects: Objects }) {
    this.usedScorers = new UsedScorers({ runs, objects })
    this.runs = runs
    this.objects = objects
    this.calls = new EvaluationCalls({ store })
  }

  /** @throws DomainError InvalidRequest, NotFound, ObjectDeleted */
  async read(reader: ProjectReader, request: LeaderboardRequest, signal: AbortSignal): Promise<Leaderboard> {
    const version = await this.storedVersion(reader, request)
    const stored = isJsonObject(version?.val) ? version.val : {}
    const metrics = request.columns ?? metricsIn(stored['columns'])
    const { runs, isCut } = await this.finishedRuns(reader, signal)
    const found: FoundColumn[] = []
    for (const metric of metrics) found.push(await this.columnRuns(reader, metric, runs))
    const summaries = await this.summaries(reader, found)
    const names = metrics.map(({ scorer_name }) => scorer_name)
    const rows = await this.usedScorers.inRows(reader, rowsOf(found, summaries), names)
    const columns = found.map((each, index) => {
      const cells = rows.flatMap((row) => row.cells[index] ?? [])
      return columnOf(each, { hasFigure: cells.length > 0, differing: differingIn(cells) })
    })
    return {
      object: version === undefined ? null : objectOf(version),
      name: version === undefined ? null : textOf(stored['name']),
      description: textOf(stored['description']),
      columns,
      rows,
      warnings: [
        ...found.flatMap(({ evaluation, isMissing }) =>
          isMissing ? [`The evaluation ${evaluation.name} does not exist in this project`] : [],
        ),
        ...columns.flatMap((column) => column.differing_versions.map((each) => versionWords(column, each))),
      ],
      is_cut: isCut,
    }
  }

  private async storedVersion(reader: ProjectReader, { name, digest, columns }: LeaderboardRequest) {
    if ((name == null) === (columns == null))
      throw new DomainError('InvalidRequest', 'Read a leaderboard: give either its `name` or `columns`')
    if (name == null) return undefined
    const version = await this.objects.read(reader, { object_id: name, digest: digest ?? 'latest', kind: 'object' })
    if (version.base_object_class === objectClass) return version
    const kind = version.base_object_class ?? 'an object without a class'
    throw new DomainError('InvalidRequest', `${quoted(name)} is no leaderboard but ${kind}`)
  }

  /** The newest first. */
  private async finishedRuns(reader: ProjectReader, signal: AbortSignal) {
    const runs: ListedRun[] = []
    let isCut = false
    let after: string | null = null
    do {
      const request = { project_id: reader.projectId, states: ['done' as const], limit: operationLimits.listedRunsMax }
      const page = await this.runs.query(reader, { ...request, after }, signal)
      runs.push(...page.runs)
      isCut = page.is_cut
      after = page.next
    } while (after !== null)
    return { runs, isCut }
  }

  /** The runs that a column may show. */
  private async columnRuns(reader: ProjectReader, metric: Metric, runs: readonly ListedRun[]): Promise<FoundColumn> {
    const ref = findObjectRef(metric.evaluation_object_ref)
    const isOurs = ref !== undefined && ref.projectId === reader.projectId && ref.kind === 'object'
    if (!isOurs) {
      const evaluation = { ref: metric.evaluation_object_ref, name: metric.evaluation_object_ref, version: null }
      return { metric, evaluation, isMissing: true, runs: [] }
    }
    const ofName = runs.filter((run) => run.evaluation.name === ref.name)
    const isAny = metric.all_versions === true || ref.version === '*'
    const name = { object_id: ref.name, digest: ref.version === '*' ? 'latest' : ref.version, kind: 'object' as const }
    const version = await this.objects.find(reader, name)
    const isKnown = version !== undefined && version.deleted_at === null
    const wanted = isKnown ? version.digest : ref.version
    const matching = isAny ? ofName : ofName.filter((run) => findObjectRef(run.evaluation.ref)?.version === wanted)
    const evaluation: Named = {
      ref: metric.evaluation_object_ref,
      name: ref.name,
      version: isAny || !isKnown ? null : version.version_index,
    }
    return { metric, evaluation, isMissing: !isKnown && matching.length === 0, runs: matching }
  }

  /** The stored summaries of the runs of which a figure is not a mean of rows, by run. */
  private async summaries(reader: ProjectReader, columns: readonly FoundColumn[]): Promise<Summaries> {
    const ids = columns.flatMap(({ metric, runs }) =>
      runs.filter((run) => listedScoreOf(metric, run) === undefined).map((run) => run.evaluation_call_id),
    )
    if (ids.length === 0) return new Map()
    const calls = await this.calls.all(reader, { filter: { call_ids: [...new Set(ids)] } })
    // SDKs return what they summed up; programs that report by themselves send it beside.
    return new Map(calls.map(({ id, output, summary }) => [id, [plainNumbers(output), plainNumbers(summary)]]))
  }
}

/** The columns of a stored leaderboard, as far as they are some. */
function metricsIn(columns: unknown): Metric[] {
  if (!Array.isArray(columns)) return []
  return columns.slice(0, operationLimits.leaderboardColumnsMax).flatMap((column: unknown): Metric[] => {
    if (!isJsonObject(column)) return []
    const { evaluation_object_ref, scorer_name, summary_metric_path, should_minimize, all_versions } = column
    if (typeof evaluation_object_ref !== 'string' || typeof summary_metric_path !== 'string') return []
    return [
      {
        evaluation_object_ref,
        scorer_name: textOf(scorer_name) ?? '',
        summary_metric_path,
        should_minimize: should_minimize === true,
        all_versions: all_versions === true || evaluation_object_ref.endsWith(':*'),
      },
    ]
  })
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const objectOf = ({ object_id, digest, version_index, is_latest, created_at }: ObjectVersion) => ({
  object_id,
  digest,
  version_index,
  is_latest: is_latest === 1,
  created_at,
})

const versionsAtOnce = 8

/**
 * The versions of scorers that the calls of runs name: a run that was scored again has others than
 * its evaluation.
 */
class UsedScorers {
  private readonly runs: EvaluationRunList
  private readonly objects: Objects
  /** Index of a version by project and ref: it never changes. */
  private readonly versions = new BoundedMap<string, number>(operationLimits.keptRunFiguresMax)

  constructor({ runs, objects }: { runs: EvaluationRunList; objects: Objects }) {
    this.runs = runs
    this.objects = objects
  }

  /** Rows with these versions in their cells. @param names of the scorers, by column */
  async inRows(
    reader: ProjectReader,
    rows: readonly LeaderboardRow[],
    names: readonly string[],
  ): Promise<LeaderboardRow[]> {
    const usedIn = (runId: string, column: number): string | undefined =>
      this.runs.scorersOf(reader, runId).find(({ name }) => name === names[column])?.ref
    const refs = rows.flatMap(({ cells }) =>
      cells.flatMap((cell, index) => (cell && usedIn(cell.evaluation_call_id, index)) ?? []),
    )
    const versions = new Map<string, number | null>()
    await forEachConcurrent([...new Set(refs)], versionsAtOnce, async (ref) => {
      versions.set(ref, await this.versionOf(reader, ref))
    })
    return rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell, index) => {
        const ref = cell === null ? undefined : usedIn(cell.evaluation_call_id, index)
        if (cell === null || ref === undefined) return cell
        return { ...cell, scorer: { ref, name: names[index] ?? '', version: versions.get(ref) ?? null } }
      }),
    }))
  }

  private async versionOf(reader: ProjectReader, ref: string): Promise<number | null> {
    const key = `${reader.projectId}\n${ref}`
    const kept = this.versions.get(key)
    if (kept !== undefined) return kept
    const found = (await findVersion(this.objects, reader, ref))?.version_index
    if (found !== undefined) this.versions.set(key, found)
    return found ?? null
  }
}
