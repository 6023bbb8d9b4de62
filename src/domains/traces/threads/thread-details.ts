import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { normaliseMessages } from '../../../formats/mapping/messages/normalise.ts'
import type { Message } from '../../../formats/schemas/messages.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt, valueAt } from '../../../lib/present.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../../access/index.ts'
import type { PriceBook } from '../../costs/index.ts'
import type { ThreadsPlan } from '../plan/threads.ts'
import { compileTurnMessages, compileTurns } from '../sql/threads.ts'
import { compileTraceCalls, type TraceFeedbackRow } from '../sql/trace-calls.ts'
import { TraceCalls } from '../trace-calls.ts'
import { traceFeedback } from '../trace-feedback.ts'
import { addCost, sumUp, type TraceTotals } from '../trace-totals.ts'
import { arrangeTree, type TraceTree } from '../trace-tree.ts'

/** A thread as `compileThreads` returns it. */
export interface FoundThread {
  readonly line: string
  readonly threadId: string
  readonly firstTurnId: string
  readonly lastTurnId: string
}

export interface DetailsRead {
  readonly snapshot: Snapshot
  readonly reader: ProjectReader
  readonly plan: ThreadsPlan
  readonly prices: PriceBook
}

interface Figures {
  tokens: number
  /** NaN if unknown. */
  cost: number
  errors: number
  feedback: number
}

/** The lines of threads with messages and statistics. @throws DomainError InvalidRequest */
export async function linesWithDetails(read: DetailsRead, threads: readonly FoundThread[]): Promise<string[]> {
  const messages = await messagesOf(read, threads)
  const figures = await figuresOf(read, threads)
  return threads.map(({ line, threadId, firstTurnId, lastTurnId }) => {
    const { tokens, cost, errors, feedback } = figures.get(threadId) ?? noFigures()
    const details = {
      first_message: messages.get(firstTurnId)?.asked ?? null,
      last_message: messages.get(lastTurnId)?.answered ?? null,
      total_tokens: tokens,
      total_cost: Number.isNaN(cost) ? null : cost,
      error_count: errors,
      feedback_count: feedback,
    }
    return `${line.slice(0, -1)},${JSON.stringify(details).slice(1)}`
  })
}

interface Messages {
  readonly asked: string | null
  readonly answered: string | null
}

async function messagesOf(
  { snapshot, reader: { projectId } }: DetailsRead,
  threads: readonly FoundThread[],
): Promise<Map<string, Messages>> {
  const ids = [...new Set(threads.flatMap(({ firstTurnId, lastTurnId }) => [firstTurnId, lastTurnId]))]
  const calls = await snapshot.relationWhere(callsTable.name, { id: ids })
  const { threadMessageCharsMax: chars, threadPayloadCharsMax: wholeCharsMax } = explorationLimits
  const sql = compileTurnMessages({ projectId, ids, calls }, { chars, wholeCharsMax })
  const rows = await snapshot.rows(sql)
  const slice = new TimeSlice()
  const found = new Map<string, Messages>()
  for (const { id, asked, answered, inputs, output } of rows) {
    const last = (from: 'inputs' | 'output', text: string | null) => {
      if (text === null) return undefined
      const { messages } = normaliseMessages({
        inputs: null,
        output: null,
        attributes: null,
        summary: null,
        [from]: text,
      })
      return messageLine(messages.at(-1), chars)
    }
    found.set(id, { asked: last('inputs', inputs) ?? asked, answered: last('output', output) ?? answered })
    await slice.yieldIfExpired()
  }
  return found
}

/** The text of a message, else the tools that it calls; undefined without either. */
function messageLine(message: Message | undefined, chars: number): string | undefined {
  const parts = message?.parts ?? []
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [`${part.name}(${part.arguments})`] : []))
  const line = texts.join('\n') || calls.join('\n')
  return line === '' ? undefined : line.slice(0, chars).toWellFormed()
}

const noFigures = (): Figures => ({ tokens: 0, cost: Number.NaN, errors: 0, feedback: 0 })

/** Figures of the turns of each thread and of all calls below them. */
async function figuresOf(read: DetailsRead, threads: readonly FoundThread[]): Promise<Map<string, Figures>> {
  const { snapshot, reader, plan, prices } = read
  const threadIds = threads.map(({ threadId }) => threadId)
  const values = new Map([['thread_id', threadIds]])
  const ofThreads = await snapshot.relationWhere(callsTable.name, {}, {}, { values })
  const turns = await snapshot.rows(compileTurns({ ...plan, threadIds }, ofThreads))
  const traceIds = [...new Set(turns.map(({ trace_id: traceId }) => traceId))]
  const { projectId } = reader
  const scope = { projectId, traceIds, calls: await snapshot.relationWhere(callsTable.name, { trace_id: traceIds }) }
  const calls = new TraceCalls(prices, 'request fewer threads at a time')
  await snapshot.forEachChunk(compileTraceCalls(scope), (columns) => calls.add(columns))
  const tree = await arrangeTree(calls.ids, calls.parentIds)
  const totals = await sumUp(calls, tree)
  const rows = await traceFeedback(snapshot, scope)
  const feedback = feedbackBelow(calls, tree, rows)
  const numbers = new Map(calls.ids.map((id, call) => [id, call]))
  const threadOf = new Map(turns.map(({ thread_id: threadId, id }) => [valueAt(numbers, id), threadId]))
  const found = new Map(threadIds.map((id) => [id, noFigures()]))
  for (const [turn, threadId] of threadOf) {
    // A turn inside another one of the same thread is part of it already.
    if (!isInside(turn, threadId, tree, threadOf)) add(valueAt(found, threadId), turn, { calls, totals, feedback })
  }
  return found
}

function isInside(turn: number, threadId: string, { parent }: TraceTree, threadOf: ReadonlyMap<number, string>) {
  for (let above = itemAt(parent, turn); above !== -1; above = itemAt(parent, above)) {
    if (threadOf.get(above) === threadId) return true
  }
  return false
}

function add(
  figures: Figures,
  turn: number,
  { calls, totals, feedback }: { calls: TraceCalls; totals: TraceTotals; feedback: Float64Array },
): void {
  figures.tokens += itemAt(totals.tokens, turn)
  figures.cost = addCost(figures.cost, itemAt(totals.cost, turn))
  figures.errors += itemAt(totals.errorsInside, turn) + (itemAt(calls.shared, turn).status === 'error' ? 1 : 0)
  figures.feedback += itemAt(feedback, turn)
}

/** Feedback on each call and on its descendants. @param rows rows of `compileTraceFeedback` */
function feedbackBelow(
  calls: TraceCalls,
  { parent, order }: TraceTree,
  rows: readonly TraceFeedbackRow[],
): Float64Array {
  const counts = new Map(rows.map(({ call_id: id, count }) => [id, count]))
  const sums = new Float64Array(order.length)
  for (let place = order.length - 1; place >= 0; place--) {
    const call = itemAt(order, place)
    sums[call] = itemAt(sums, call) + (counts.get(itemAt(calls.ids, call)) ?? 0)
    const above = itemAt(parent, call)
    if (above !== -1) sums[above] = itemAt(sums, above) + itemAt(sums, call)
  }
  return sums
}
