import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { costsTable } from '../../engine/tables/costs-table.ts'
import { HeldBytes } from '../../lib/concurrency.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { explorationLimits } from '../../lib/limits/exploration.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { itemAt } from '../../lib/present.ts'
import type { Sql } from '../../lib/sql.ts'
import { spanText } from '../../lib/stored-span.ts'
import { parseTime } from '../../lib/time.ts'
import { type CallsPlan, startedWithin } from '../../query/calls-plan.ts'
import { columnField } from '../../query/catalog.ts'
import { all, any, type Expression, fieldOneOf, fieldValue, never, not, textConstant } from '../../query/expression.ts'
import { compilePlanned } from '../../query/sql/statements.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../access/index.ts'
import { planRows, relationsOf, tablesOf } from '../calls/index.ts'
import type { Costs } from '../costs/index.ts'
import { type AgentSpan, agentSpanOf, agentSpanShape } from './agent-span.ts'
import { pathOf, queryOverCalls } from './span-fields.ts'

/** Which spans to read. */
export interface SpanSelection {
  readonly query?: unknown
  readonly started_after?: string | number | null | undefined
  readonly started_before?: string | number | null | undefined
  readonly traceIds?: readonly string[]
  readonly threadIds?: readonly string[]
  /** Values of columns of calls, one of which a span has in each; none match an empty list. */
  readonly values?: Readonly<Partial<Record<'id' | 'trace_id', readonly string[]>>>
  readonly conversations?: Conversations
  /** A text in the payload, in upper or lower case. */
  readonly containing?: string
  readonly withCosts?: boolean | undefined
}

/** Conversations of spans. */
export interface Conversations {
  /** Only spans of these; undefined restricts nothing. */
  readonly among: ReadonlySet<string> | undefined
  /** No spans of these. */
  readonly outside: ReadonlySet<string>
}

export interface SpanPage {
  readonly sort_by?: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[] | null | undefined
  readonly limit: number
  readonly offset: number
  /** Whether to read inputs and output; null otherwise. */
  readonly isDetailed: boolean
}

/** Texts of the payload of a span. */
interface SpanPayload {
  readonly inputs: string | null
  readonly output: string | null
  readonly attributes: string | null
  readonly summary: string | null
  readonly dump: string | null
}

export interface SpanWithPayload {
  readonly span: AgentSpan
  readonly payload: SpanPayload
}

/** Reads the calls of a project that came as spans. */
export class SpanReader {
  private readonly store: Store
  private readonly costs: Costs

  constructor({ store, costs }: { store: Store; costs: Costs }) {
    this.store = store
    this.costs = costs
  }

  /**
   * All spans that match, oldest first, without payload. @throws DomainError InvalidRequest if
   * there are too many; InvalidField
   */
  async all(reader: ProjectReader, selection: SpanSelection, signal: AbortSignal): Promise<AgentSpan[]> {
    const plan = planOf(reader, selection, [{ field: 'started_at', direction: 'asc' }])
    return await this.read(reader, plan, selection, signal, async (snapshot, prices) => {
      const spans: AgentSpan[] = []
      const held = new HeldBytes('narrow the query or its times')
      const sql = await rowsOf(snapshot, plan, agentSpanShape.columns, operationLimits.agentSpansMax + 1)
      await snapshot.forEachChunk(sql, (columns) => {
        for (const index of columns[0]?.keys() ?? []) {
          const row = agentSpanShape.read(columns.map((cells) => itemAt(cells, index)))
          const span = agentSpanOf(row, prices, true)
          held.add(bytesOf(span))
          spans.push(span)
        }
      })
      checkCount(spans.length, operationLimits.agentSpansMax)
      return spans
    })
  }

  /** The conversations of the spans that match. @throws DomainError InvalidField */
  async conversations(reader: ProjectReader, selection: SpanSelection, signal: AbortSignal): Promise<Set<string>> {
    const plan = planOf(reader, selection, [])
    return await this.read(reader, plan, selection, signal, async (snapshot) => {
      const found = new Set<string>()
      await snapshot.forEachChunk(await rowsOf(snapshot, plan, ['thread_id']), ([ids]) => {
        for (const id of ids ?? []) if (typeof id === 'string' && id !== '') found.add(id)
      })
      return found
    })
  }

  /**
   * Like `all`, with payloads, for fewer spans. @throws DomainError InvalidRequest, InvalidField
   */
  async withPayload(reader: ProjectReader, selection: SpanSelection, signal: AbortSignal): Promise<SpanWithPayload[]> {
    const page = {
      sort_by: [{ field: 'started_at', direction: 'asc' as const }],
      limit: operationLimits.agentChatSpansMax + 1,
    }
    const { spans } = await this.page(reader, selection, { ...page, offset: 0, isDetailed: true }, signal)
    checkCount(spans.length, operationLimits.agentChatSpansMax)
    return spans
  }

  /** A page of the spans that match, newest first unless sorted otherwise. */
  async page(
    reader: ProjectReader,
    selection: SpanSelection,
    { sort_by, limit, offset, isDetailed }: SpanPage,
    signal: AbortSignal,
  ): Promise<{ spans: SpanWithPayload[]; total: number }> {
    const sort = sort_by?.length ? sort_by : [{ field: 'started_at', direction: 'desc' as const }]
    const plan = planOf(reader, selection, sort)
    const { found, total, prices } = await this.read(reader, plan, selection, signal, async (snapshot, known) => ({
      found: limit === 0 ? [] : await snapshot.rows(await spanRowsOf(snapshot, plan, limit, offset)),
      total: await countOf(snapshot, plan),
      prices: known,
    }))
    const spans = await eachInTurns(found, (row) => {
      const { inputs, output, attributes, summary } = row
      const messages = isDetailed ? { inputs, output } : { inputs: null, output: null }
      const payload = { ...messages, attributes, summary, dump: spanText(row) }
      return { span: agentSpanOf(row, prices, false), payload }
    })
    return { spans, total }
  }

  private async read<Result>(
    reader: ProjectReader,
    plan: CallsPlan,
    { withCosts }: SpanSelection,
    signal: AbortSignal,
    use: (snapshot: Snapshot, prices: Awaited<ReturnType<Costs['priceBook']>> | undefined) => Promise<Result>,
  ): Promise<Result> {
    const tables = new Set([...tablesOf(plan), costsTable.name])
    return await this.store.read([...tables], { projectId: reader.projectId, signal }, async (snapshot) =>
      use(snapshot, withCosts === true ? await this.costs.priceBook(snapshot, reader) : undefined),
    )
  }
}

const isSpan: Expression = { kind: 'not', item: { kind: 'isNull', value: fieldValue(columnField('otel_dump')) } }

function planOf(reader: ProjectReader, selection: SpanSelection, sort: NonNullable<SpanPage['sort_by']>): CallsPlan {
  const { traceIds, threadIds } = selection
  const plan = planRows(reader, {
    filter: { ...(traceIds && { trace_ids: [...traceIds] }), ...(threadIds && { thread_ids: [...threadIds] }) },
    query: selection.query == null ? undefined : queryOverCalls(selection.query),
    sort_by: sort.map(({ field, direction }) => ({ field: pathOf(field), direction: direction ?? 'desc' })),
  })
  return {
    ...plan,
    where: all([plan.where, isSpan, ...boundsOf(selection), ...containing(selection), ...withinSets(selection)]),
  }
}

function boundsOf({ started_after, started_before }: SpanSelection): Expression[] {
  if (started_after == null && started_before == null) return []
  // Inclusive at the start, exclusive at the end.
  const before = (time: string | number | null | undefined) => {
    const micros = time == null ? undefined : parseTime(time)
    return micros === undefined ? undefined : micros - 1
  }
  return [startedWithin({ after: before(started_after), through: before(started_before) })]
}

function withinSets({ values, conversations }: SpanSelection): Expression[] {
  const oneOf = (column: string, texts: Iterable<string>): Expression => {
    const listed = [...texts]
    return listed.length === 0 ? never : fieldOneOf(columnField(column), listed)
  }
  const { among, outside } = conversations ?? { among: undefined, outside: new Set<string>() }
  const hasNone: Expression = { kind: 'isNull', value: fieldValue(columnField('thread_id')) }
  return [
    ...Object.entries(values ?? {}).map(([column, texts]) => oneOf(column, texts)),
    ...(among === undefined ? [] : [oneOf('thread_id', among)]),
    ...(outside.size === 0 ? [] : [any([hasNone, not(oneOf('thread_id', outside))])]),
  ]
}

/** As escaped inside JSON. */
function containing({ containing: text }: SpanSelection): Expression[] {
  if (text === undefined) return []
  const part = { kind: 'constant', constant: textConstant(JSON.stringify(text).slice(1, -1)) } as const
  const columns = ['inputs', 'output', 'attributes'].map((name) => fieldValue(columnField(name)))
  return [any(columns.map((input) => ({ kind: 'contains', input, part, ignoreCase: true })))]
}

async function rowsOf(
  snapshot: Snapshot,
  plan: CallsPlan,
  columns: readonly string[],
  limit?: number,
  offset = 0,
): Promise<Sql> {
  const { calls: relation, feedback, queues } = await relationsOf(snapshot, plan)
  const { projectId, where, sort } = plan
  return compilePlanned({ relation, projectId, feedback, queues, where, sort, limit, offset, columns })
}

const spanRowsOf = async (snapshot: Snapshot, plan: CallsPlan, limit: number, offset: number) => ({
  ...(await rowsOf(snapshot, plan, agentSpanShape.columns, limit, offset)),
  shape: agentSpanShape,
})

/** Roughly the memory that a span takes. */
const bytesOf = ({ attributes, custom }: AgentSpan): number =>
  explorationLimits.traceCallBytes + 2 * (JSON.stringify(attributes).length + JSON.stringify(custom).length)

async function countOf(snapshot: Snapshot, plan: CallsPlan): Promise<number> {
  const { calls: relation, feedback, queues } = await relationsOf(snapshot, plan)
  const { projectId, where } = plan
  let count = 0
  const sql = compilePlanned({ relation, projectId, feedback, queues, where, columns: ['id'] })
  await snapshot.forEachChunk(sql, ([ids]) => {
    count += ids?.length ?? 0
  })
  return count
}

function checkCount(count: number, max: number): void {
  if (count <= max) return
  throw new DomainError('InvalidRequest', tooMany('spans', count, max, ' per request: narrow the query or its times'))
}

async function eachInTurns<Item, Result>(items: readonly Item[], make: (item: Item) => Result): Promise<Result[]> {
  const slice = new TimeSlice()
  const made: Result[] = []
  for (const item of items) {
    made.push(make(item))
    await slice.yieldIfExpired()
  }
  return made
}
