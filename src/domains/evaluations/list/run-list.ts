import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { costsTable } from '../../../engine/tables/costs-table.ts'
import { findRef } from '../../../formats/dialect/parsed-ref.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { DomainError } from '../../../lib/errors.ts'
import { isJsonObject, plainNumbers } from '../../../lib/json-value.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { formatTime } from '../../../lib/time.ts'
import { contains } from '../../../query/grammar.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { CallWork } from '../../calls/index.ts'
import type { Costs, PriceBook } from '../../costs/index.ts'
import type { DatasetSource } from '../engine/engine-deps.ts'
import type { ObjectSource, SourceObject } from '../engine/object-source.ts'
import { type EvaluationCall, EvaluationCalls, textIn } from '../evaluation-calls.ts'
import { isRun } from '../evaluation-runs.ts'
import type { ListedRun, Named, RunList, RunListRequest, RunState } from '../model/run-list.ts'
import { stampsStatement } from '../sql/run-figures.ts'
import { type RunFigures, readFigures } from './run-figures.ts'
import { orderOf } from './run-order.ts'

/** A run without a write for this long counts as interrupted, in microseconds. */
const silenceMicros = 10 * 60 * 1_000_000

interface Options {
  readonly store: Store
  readonly costs: Costs
  readonly clock: Clock
  readonly objects: ObjectSource
  readonly datasets: DatasetSource
  readonly work: CallWork
}

/** What a run is made of, as its refs say. Versions never change, so that it is kept. */
interface Parts {
  readonly evaluation: Named
  readonly model: Named
  readonly llm: string | null
  readonly prompt: Named | null
  readonly dataset: Named | null
  readonly scorers: readonly Named[]
  readonly trials: number
  readonly rowCount: number | null
}

interface Kept {
  readonly stamp: string
  readonly figures: RunFigures
}

/**
 * The runs of a project with what came of them. The figures of a run are kept for as long as its
 * calls stay the same, so that a list reads only the runs that changed. See
 * docs/decisions/251-runs-that-go-on.md.
 */
export class EvaluationRunList {
  private readonly options: Options
  private readonly calls: EvaluationCalls
  private readonly figures = new BoundedMap<string, Kept>(operationLimits.keptRunFiguresMax)
  private readonly objects = new BoundedMap<string, SourceObject>(operationLimits.keptRunFiguresMax)
  private readonly parts = new BoundedMap<string, Parts>(operationLimits.keptRunFiguresMax)

  constructor(options: Options) {
    this.options = options
    this.calls = new EvaluationCalls({ store: options.store })
  }

  /** @throws DomainError InvalidRequest for an unknown field or page */
  async query(reader: ProjectReader, request: RunListRequest, signal: AbortSignal): Promise<RunList> {
    const { evaluation, states, search, limit } = request
    const order = orderOf(request)
    const found = await this.runsIn(reader, request.evaluation_call_ids)
    const isCut = found.length > operationLimits.runsReadMax
    const calls = found.slice(0, operationLimits.runsReadMax)
    const { figures, stamps, prices } = await this.figuresOf(reader, calls, signal)
    const runs: ListedRun[] = []
    for (const call of calls) {
      const parts = await this.partsOf(reader, call)
      const silentSince = stamps.get(call.traceId)?.written ?? call.startedAt
      const state = this.stateOf(reader, call, silentSince)
      runs.push(listedRun(call, { parts, state, figures: figures.get(call.id), prices }))
    }
    const named = Map.groupBy(runs, (run) => run.evaluation.name)
    const wanted = search?.toLowerCase() ?? ''
    const matching = runs
      .filter((run) => evaluation == null || run.evaluation.name === evaluation)
      .filter((run) => states == null || states.length === 0 || states.includes(run.state))
      .filter((run) => wanted === '' || textOf(run).includes(wanted))
      .sort(order.compare)
    const rest = request.after == null ? matching : order.after(matching, request.after)
    const page = rest.slice(0, limit ?? 200)
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
    const { store, costs } = this.options
    const { projectId } = reader
    const tables = [callsTable.name, costsTable.name]
    const read = await store.read(tables, { projectId, signal }, async (snapshot) => {
      const traceIds = [...new Set(calls.map(({ traceId }) => traceId))]
      const children = await snapshot.relationWhere(callsTable.name, { trace_id: traceIds })
      const stamped = await snapshot.rows(stampsStatement({ children, projectId }, traceIds))
      const prices = await costs.priceBook(snapshot, reader)
      return { prices, stamps: new Map(stamped.map((each) => [each.trace, each])) }
    })
    const figures = new Map<string, RunFigures>()
    const changed: { readonly id: string; readonly stamp: string }[] = []
    for (const { id, traceId } of calls) {
      const { calls: count = 0, written = 0 } = read.stamps.get(traceId) ?? {}
      const stamp = `${count} ${written}`
      const kept = this.figures.get(`${projectId}\n${id}`)
      if (kept?.stamp === stamp) figures.set(id, kept.figures)
      else changed.push({ id, stamp })
    }
    for (let from = 0; from < changed.length; from += operationLimits.evaluationsMax) {
      const some = changed.slice(from, from + operationLimits.evaluationsMax)
      const ids = some.map(({ id }) => id)
      const fresh = await store.read(tables, { projectId, signal }, (snapshot) =>
        readFigures(snapshot, reader, ids, signal),
      )
      for (const { id, stamp } of some) {
        const each = fresh.get(id)
        if (each === undefined) continue
        figures.set(id, each)
        this.figures.set(`${projectId}\n${id}`, { stamp, figures: each })
      }
    }
    return { figures, ...read }
  }

  private stateOf(reader: ProjectReader, call: EvaluationCall, silentSince: number): RunState {
    if (this.options.work.isUndone(reader.projectId, call.id)) return 'running'
    if (call.exception !== null) return call.exception === 'Cancelled' ? 'cancelled' : 'failed'
    if (call.endedAt !== null) return call.summary?.['stopped'] === 'cost_limit' ? 'at_limit' : 'done'
    // A run of a client is silent while one row is at the model.
    const isServerRun = call.userId !== null && call.mark['server_run'] === 'true'
    const nowMicros = this.options.clock.nowMs() * 1000
    return isServerRun || nowMicros - silentSince > silenceMicros ? 'interrupted' : 'running'
  }

  private async partsOf(reader: ProjectReader, { mark, inputs }: EvaluationCall): Promise<Parts> {
    const evaluationRef = textIn(mark, 'evaluation') ?? textIn(inputs, 'self') ?? textIn(inputs, 'this') ?? ''
    const modelRef = textIn(mark, 'model') ?? textIn(inputs, 'model') ?? ''
    const key = `${reader.projectId}\n${evaluationRef}\n${modelRef}`
    const kept = this.parts.get(key)
    if (kept !== undefined) return kept
    const evaluation = await this.objectAt(reader, evaluationRef)
    const model = await this.objectAt(reader, modelRef)
    const { dataset, scorers, trials } = membersOf(evaluation?.val)
    const { llm_model_id, default_params } = membersOf(model?.val)
    const { prompt } = membersOf(default_params)
    const parts: Parts = {
      evaluation: namedBy(evaluationRef, evaluation),
      model: namedBy(modelRef, model),
      llm: typeof llm_model_id === 'string' ? llm_model_id : null,
      prompt: await this.namedAt(reader, prompt),
      dataset: await this.namedAt(reader, dataset),
      scorers: (
        await Promise.all((Array.isArray(scorers) ? scorers : []).map((each) => this.namedAt(reader, each)))
      ).flatMap((each) => each ?? []),
      trials: typeof trials === 'number' && trials >= 1 ? Math.trunc(trials) : 1,
      rowCount: await this.rowCount(reader, dataset),
    }
    // Refs that name nothing yet may do so later.
    if (evaluation !== undefined && model !== undefined) this.parts.set(key, parts)
    return parts
  }

  private async namedAt(reader: ProjectReader, ref: unknown): Promise<Named | null> {
    return typeof ref === 'string' && ref !== '' ? namedBy(ref, await this.objectAt(reader, ref)) : null
  }

  private async objectAt(reader: ProjectReader, ref: string): Promise<SourceObject | undefined> {
    const key = `${reader.projectId}\n${ref}`
    const kept = this.objects.get(key)
    if (kept !== undefined) return kept
    const object = await known(() => this.options.objects.read(reader, ref))
    if (object !== undefined) this.objects.set(key, object)
    return object
  }

  private async rowCount(reader: ProjectReader, dataset: unknown): Promise<number | null> {
    if (dataset === undefined) return null
    return (await known(() => this.options.datasets.count(reader, dataset))) ?? null
  }
}

/** Runs of clients may refer to what was never stored, or not as the server stores it. */
async function known<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof DomainError) return undefined
    throw cause
  }
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isJsonObject(value) ? value : {})

function namedBy(ref: string, object: SourceObject | undefined): Named {
  const parsed = findRef(ref)
  const name = object?.name ?? (parsed !== undefined && 'name' in parsed ? parsed.name : ref)
  return { ref: object?.ref ?? ref, name, version: object?.version ?? null }
}

const textOf = ({ llm, model, prompt, dataset, error, display_name }: ListedRun): string =>
  [llm, model.name, prompt && `${prompt.name}:v${prompt.version}`, dataset?.name, error, display_name]
    .join('\n')
    .toLowerCase()

interface Found {
  readonly parts: Parts
  readonly state: RunState
  readonly figures: RunFigures | undefined
  readonly prices: PriceBook
}

function listedRun(call: EvaluationCall, { parts, state, figures, prices }: Found): ListedRun {
  const { begun = 0, ended = 0, failed = 0, scores = [], latencySeconds = null, usage } = figures ?? {}
  const limit = plainNumbers(call.summary?.['cost_limit'] ?? call.mark['cost_limit'])
  const { rowCount, scorers, ...named } = parts
  const isOver = state === 'done' || state === 'at_limit' || state === 'interrupted'
  return {
    evaluation_call_id: call.id,
    display_name: null,
    state,
    error: call.exception,
    is_resumable: isOver && call.mark['server_run'] === 'true',
    ...named,
    scorers: [...scorers],
    rows_total: rowCount,
    rows_begun: begun,
    rows_ended: ended,
    rows_failed: failed,
    rows_scored: ended - failed,
    scores: [...scores],
    cost: usage === undefined ? null : (prices.totalCost(JSON.stringify(usage), call.startedAt) ?? null),
    cost_limit: typeof limit === 'number' ? limit : null,
    latency_p50_seconds: latencySeconds,
    started_at: formatTime(call.startedAt),
    ended_at: call.endedAt === null ? null : formatTime(call.endedAt),
  }
}
