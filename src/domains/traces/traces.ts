import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { feedbackTable } from '../../engine/tables/feedback-table.ts'
import type { TraceRequest } from '../../formats/schemas/traces.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { limits } from '../../lib/limits.ts'
import { parseTime } from '../../lib/time.ts'
import type { ProjectReader } from '../access/caller.ts'
import type { Costs } from '../costs/costs.ts'
import { chooseCalls } from './choose-calls.ts'
import { skeletonTexts } from './skeleton-texts.ts'
import { compileTraceCalls, compileTraceFeedback } from './sql/trace-calls.ts'
import { TraceCalls } from './trace-calls.ts'
import { sumUp } from './trace-totals.ts'
import { arrangeTree } from './trace-tree.ts'

/** A trace as it is stored. */
interface StoredTrace {
  readonly calls: TraceCalls
  /** By call id. */
  readonly feedback: ReadonlyMap<string, number>
  /** Calls with feedback given since the requested time. */
  readonly judged: ReadonlySet<string>
}

const tooLarge = 'the trace has too many calls to be shown as a whole'

/** Traces as trees of calls without their payloads. */
export class Traces {
  private readonly store: Store
  private readonly costs: Costs

  constructor({ store, costs }: { store: Store; costs: Costs }) {
    this.store = store
    this.costs = costs
  }

  /**
   * The JSON text of `TraceSkeleton` in pieces.
   *
   * @throws DomainError InvalidRequest for limits out of range or a trace that is too large;
   *   NotFound for an unknown parent; RequestCancelled
   */
  async *texts(reader: ProjectReader, question: TraceRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    const limit = limitOf(question.limit)
    const since = question.since == null ? undefined : parseTime(question.since)! - limits.traceOverlapMs * 1000
    const { calls, feedback, judged } = await this.read(reader, question.trace_id, since, signal)
    const tree = await arrangeTree(calls.ids, calls.parentIds)
    const totals = await sumUp(calls, tree)
    const below = parentOf(calls, question)
    const hasChanged = (call: number) => calls.writtenAt[call]! >= since! || judged.has(calls.ids[call]!)
    const chosen = chooseCalls(tree, {
      below,
      depth: question.depth ?? undefined,
      limit,
      errorsMax: Math.floor(limit * limits.traceErrorsShare),
      isWanted: since === undefined ? undefined : hasChanged,
      isError: (call) => calls.shared[call]!.status === 'error',
    })
    yield* skeletonTexts({ traceId: question.trace_id, calls, tree, totals, feedback, chosen })
  }

  private async read(
    reader: ProjectReader,
    traceId: string,
    since: number | undefined,
    signal: AbortSignal,
  ): Promise<StoredTrace> {
    const { projectId } = reader
    const tables = [callsTable.name, costsTable.name, feedbackTable.name]
    return await this.store.read(tables, { projectId, signal }, async (snapshot) => {
      const traceIds = [traceId]
      const scope = {
        projectId,
        traceIds,
        calls: await snapshot.relationWhere(callsTable.name, { trace_id: traceIds }),
      }
      const calls = new TraceCalls(await this.costs.priceBook(snapshot, reader), tooLarge)
      await snapshot.forEachChunk(compileTraceCalls(scope), (columns) => calls.add(columns))
      const feedback = new Map<string, number>()
      const judged = new Set<string>()
      for (const [id, count, last] of await snapshot.rows(
        compileTraceFeedback(scope, snapshot.relation(feedbackTable.name)),
      )) {
        feedback.set(id as string, count as number)
        if (since !== undefined && (last as number) >= since) judged.add(id as string)
      }
      return { calls, feedback, judged }
    })
  }
}

function parentOf({ ids }: TraceCalls, { trace_id, parent_id }: TraceRequest): number | undefined {
  if (parent_id == null) return undefined
  const found = ids.indexOf(parent_id)
  if (found !== -1) return found
  throw new DomainError('NotFound', `Read trace ${quoted(trace_id)}: it has no call ${quoted(parent_id)}`)
}

function limitOf(limit: number | null | undefined): number {
  const asked = limit ?? limits.traceRowsDefault
  if (asked >= 1 && asked <= limits.traceRowsMax) return asked
  throw new DomainError('InvalidRequest', `\`limit\` must be from 1 to ${limits.traceRowsMax}, not ${asked}`)
}
