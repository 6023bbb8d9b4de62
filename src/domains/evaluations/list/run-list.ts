import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { valueAt } from '../../../lib/present.ts'
import { formatTime } from '../../../lib/time.ts'
import { contains } from '../../../query/grammar.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { Costs, PriceBook } from '../../costs/index.ts'
import type { Jobs } from '../../jobs/index.ts'
import type { DatasetSource } from '../engine/engine-deps.ts'
import { jobKinds } from '../engine/job-kinds.ts'
import type { ObjectSource } from '../engine/object-source.ts'
import { chosenRowsIn } from '../engine/row-selection.ts'
import { type EvaluationCall, EvaluationCalls } from '../evaluation-calls.ts'
import { isRun } from '../evaluation-runs.ts'
import type { ListedRun, RunList, RunListRequest, RunState } from '../model/run-list.ts'
import type { UsedScorer } from '../rows/run-rows.ts'
import type { RunRowsReader } from '../rows/run-rows-reader.ts'
import { stampsStatement } from '../sql/run-figures.ts'
import { type RunFigures, readFigures } from './run-figures.ts'
import { orderOf } from './run-order.ts'
import { type Parts, RunParts } from './run-parts.ts'
import { type Stamped, StoredFigures } from './stored-figures.ts'

/**
 * A run that the server does not execute counts as interrupted once its calls say nothing for this
 * long, in microseconds. See docs/decisions/239-interrupted-runs.md.
 */
const silenceMicros = 10 * 60 * 1_000_000

interface Options {
  readonly store: Store
  readonly costs: Costs
  readonly clock: Clock
  readonly log: Log
  readonly objects: ObjectSource
  readonly datasets: DatasetSource
  readonly jobs: Pick<Jobs, 'undoneIn' | 'pausedIn' | 'kindsOf'>
  readonly runRows: RunRowsReader
}

/**
 * The runs of a project with what came of them. The figures of a run are kept for as long as its
 * calls stay the same, so that a list reads only the runs that changed. See
 * docs/decisions/251-runs-that-go-on.md.
 */
export class EvaluationRunList {
  private readonly options: Options
  private readonly calls: EvaluationCalls
  private readonly parts: RunParts
  private readonly stored: StoredFigures
  private readonly stopping = new AbortController()
  private preparing: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.options = options
    this.calls = new EvaluationCalls({ store: options.store })
    this.parts = new RunParts(options)
    this.stored = new StoredFigures(options)
  }

  /** Ends what is computed in the background, and waits for what is being stored. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.preparing
    await this.options.runRows.stop()
    await this.stored.stop()
  }

  /** Stores the figures and rows of a run that has ended, not waited for. */
  prepare(reader: ProjectReader, id: string): void {
    const { signal } = this.stopping
    this.preparing = this.preparing.then(async () => {
      if (signal.aborted) return
      try {
        await this.query(reader, { project_id: reader.projectId, evaluation_call_ids: [id] }, signal)
      } catch (err) {
        if (!signal.aborted) this.options.log.warn({ err }, 'could not store the figures of an evaluation run')
      }
    })
  }

  /** The versions of scorers that the calls of a run name, if the run has been listed. */
  scorersOf({ projectId }: ProjectReader, id: string): readonly UsedScorer[] {
    return this.stored.latest(projectId, id)?.scorers ?? []
  }

  /** @throws DomainError InvalidRequest for an unknown field or page */
  async query(reader: ProjectReader, request: RunListRequest, signal: AbortSignal): Promise<RunList> {
    const { evaluation, states, search, limit } = request
    const order = orderOf(request)
    // Also before the calls are read: a run that ends meanwhile is not yet seen as ended.
    const undoneBefore = this.options.jobs.undoneIn(reader.projectId)
    const found = await this.runsIn(reader, request.evaluation_call_ids)
    const isCut = found.length > operationLimits.runsReadMax
    const calls = found.slice(0, operationLimits.runsReadMax)
    const { figures, stamps, prices } = await this.figuresOf(reader, calls, signal)
    if (request.evaluation_call_ids == null && !isCut) {
      const ids = new Set(calls.map(({ id }) => id))
      this.stored.forget(reader.projectId, ids)
      await this.options.runRows.forget(reader, ids)
    }
    const undone = undoneBefore.union(this.options.jobs.undoneIn(reader.projectId))
    const paused = this.options.jobs.pausedIn(reader.projectId)
    const partsOf = await this.parts.all(reader, calls)
    const runs: ListedRun[] = []
    for (const call of calls) {
      const parts = valueAt(partsOf, call.id)
      const { written = call.startedAt, active = call.startedAt } = stamps.get(call.traceId) ?? {}
      const isPaused = paused.has(call.id)
      const state = undone.has(call.id)
        ? 'running'
        : isPaused && call.exception === null
          ? 'paused'
          : this.stateOf(call, Math.min(written, active))
      const isPausing = isPaused && state === 'running'
      runs.push(listedRun(call, { parts, state, isPausing, figures: figures.get(call.id), prices, active }))
    }
    const named = Map.groupBy(runs, (run) => run.evaluation.name)
    const wanted = search?.toLowerCase() ?? ''
    const matching = runs
      .filter((run) => evaluation == null || run.evaluation.name === evaluation)
      .filter((run) => states == null || states.length === 0 || states.includes(run.state))
      .filter((run) => wanted === '' || textOf(run).includes(wanted))
      .sort(order.compare)
    const rest = request.after == null ? matching : order.after(matching, request.after)
    const page = await this.withJobs(reader, rest.slice(0, limit ?? 200))
    const last = page.at(-1)
    return {
      runs: page,
      total: matching.length,
      next: last === undefined || page.length === rest.length ? null : order.placeOf(last),
      evaluations: [...named]
        .map(([name, each]) => ({ name, runs: each.length }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      is_cut: isCut,
    }
  }

  private async runsIn(reader: ProjectReader, ids: readonly string[] | null | undefined): Promise<EvaluationCall[]> {
    if (ids?.length === 0) return []
    const calls = await this.calls.all(reader, {
      filter: ids == null ? {} : { call_ids: [...ids] },
      query: { $expr: contains('op_name', 'Evaluation.evaluate') },
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: operationLimits.runsReadMax + 1,
    })
    return calls.filter(isRun)
  }

  /** The figures of runs: those that are kept, and of the others from their calls. */
  private async figuresOf(reader: ProjectReader, calls: readonly EvaluationCall[], signal: AbortSignal) {
    const { store, costs, runRows } = this.options
    const { projectId } = reader
    const tables = [callsTable.name, costsTable.name]
    const read = await store.read(tables, { projectId, signal }, async (snapshot) => {
      const traceIds = [...new Set(calls.map(({ traceId }) => traceId))]
      const children = await snapshot.relationWhere(callsTable.name, { trace_id: traceIds })
      const stamped = await snapshot.rows(stampsStatement({ children, projectId }, traceIds))
      const prices = await costs.priceBook(snapshot, reader)
      return { prices, stamps: new Map(stamped.map((each) => [each.trace, each])) }
    })
    await this.stored.load(reader)
    const figures = new Map<string, RunFigures>()
    const changed: { readonly id: string; readonly stamp: string; readonly hasEnded: boolean }[] = []
    for (const { id, traceId, endedAt } of calls) {
      const { calls: count = 0, written = 0 } = read.stamps.get(traceId) ?? {}
      const stamp = `${count} ${written}`
      const kept = this.stored.find(projectId, id, stamp)
      if (kept === undefined) changed.push({ id, stamp, hasEnded: endedAt !== null })
      else figures.set(id, kept)
    }
    for (let from = 0; from < changed.length; from += operationLimits.evaluationsMax) {
      const some = changed.slice(from, from + operationLimits.evaluationsMax)
      const ids = some.map(({ id }) => id)
      const fresh = await store.read(tables, { projectId, signal }, (snapshot) =>
        readFigures(snapshot, reader, ids, signal),
      )
      const ended: Stamped[] = []
      for (const { id, stamp, hasEnded } of some) {
        const each = fresh.get(id)
        if (each === undefined) continue
        figures.set(id, each)
        const stamped = { id, stamp, figures: each }
        this.stored.keep(projectId, stamped)
        if (hasEnded) ended.push(stamped)
      }
      this.stored.save(projectId, ended)
      runRows.prepare(
        reader,
        ended.map(({ id }) => id),
      )
    }
    return { figures, ...read }
  }

  /** Runs that were copied from another server have no job here to continue. */
  private async withJobs({ projectId }: ProjectReader, runs: readonly ListedRun[]): Promise<ListedRun[]> {
    const asked = runs.flatMap((run) => (run.is_on_server ? [run.evaluation_call_id] : []))
    const kinds = await this.options.jobs.kindsOf(projectId, asked)
    return runs.map((run) => {
      const kind = kinds.get(run.evaluation_call_id)
      const is_resumable = run.is_resumable && kind === jobKinds.evaluateModel
      return { ...run, is_on_server: kind !== undefined, is_resumable }
    })
  }

  /** The state of a run that the server does not execute now. */
  private stateOf(call: EvaluationCall, silentSince: number): RunState {
    if (call.exception !== null) return call.exception === 'Cancelled' ? 'cancelled' : 'failed'
    if (call.endedAt !== null) return call.summary?.['stopped'] === 'cost_limit' ? 'at_limit' : 'done'
    // A run of a client is silent while one row is at the model.
    const nowMicros = this.options.clock.nowMs() * 1000
    return isServerRun(call) || nowMicros - silentSince > silenceMicros ? 'interrupted' : 'running'
  }
}

const isServerRun = ({ mark }: EvaluationCall): boolean => mark['server_run'] === 'true'

const textOf = ({ llm, model, prompt, dataset, error, display_name }: ListedRun): string =>
  [llm, model.name, prompt && `${prompt.name}:v${prompt.version}`, dataset?.name, error, display_name]
    .join('\n')
    .toLowerCase()

interface Found {
  readonly parts: Parts
  readonly state: RunState
  readonly isPausing: boolean
  readonly figures: RunFigures | undefined
  readonly prices: PriceBook
  /** Microseconds. */
  readonly active: number
}

function listedRun(call: EvaluationCall, found: Found): ListedRun {
  const { parts, state, isPausing, figures, prices, active } = found
  const { begun = 0, ended = 0, failed = 0, scores = [], latencySeconds = null, usage } = figures ?? {}
  const limit = plainNumbers(call.summary?.['cost_limit'] ?? call.mark['cost_limit'])
  const { rowCount: all, scorers, ...named } = parts
  const { chosen, rowCount } = chosenRowsIn(call.mark)
  const isResumable = ['done', 'at_limit', 'interrupted', 'paused'].includes(state)
  return {
    evaluation_call_id: call.id,
    display_name: null,
    state,
    is_pausing: isPausing,
    error: call.exception,
    is_on_server: isServerRun(call),
    is_resumable: isResumable && isServerRun(call),
    ...named,
    scorers: [...scorers],
    rows_chosen: chosen,
    rows_total: rowCount ?? all,
    rows_begun: begun,
    rows_ended: ended,
    rows_failed: failed,
    rows_scored: ended - failed,
    scores: [...scores],
    cost: usage === undefined ? null : (prices.totalCost(JSON.stringify(usage), call.startedAt) ?? null),
    cost_limit: typeof limit === 'number' ? limit : null,
    latency_p50_seconds: latencySeconds,
    started_at: formatTime(call.startedAt),
    active_at: formatTime(active),
    ended_at: call.endedAt === null ? null : formatTime(call.endedAt),
  }
}
