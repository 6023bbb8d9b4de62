import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { Dialect } from '../../../formats/dialect/dialect.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Cell } from '../../../lib/table.ts'
import { formatTime, parseTime } from '../../../lib/time.ts'
import { type RowOfShape, textIn } from '../../../lib/typed-rows.ts'
import { type CallsIn, type CallsPlan, matchingRows, planWithin } from '../../../query/calls-plan.ts'
import { all } from '../../../query/expression.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../../access/index.ts'
import { planPage } from '../after-row.ts'
import { HeavyQuestions } from '../clickhouse/heavy-questions.ts'
import type { Search } from '../clickhouse/search.ts'
import type { CallSearch, CallSearchRequest, Hit } from '../model/call-search.ts'
import { callsRelation, relationsOf, tablesOf } from '../plan.ts'
import { compileSearchedTexts, compileStartHistogram } from '../sql/exploration.ts'
import { type Coverage, RecentCalls } from './recent-calls.ts'
import { containsAny, isText, needlesOf, searchedColumns } from './searched-texts.ts'
import { TextHits } from './text-hits.ts'

const columns = searchedColumns
const shown = ['id', 'trace_id', 'op_name', 'started_at', 'status', 'payload_bytes'] as const

const newestFirst = [{ field: 'started_at', direction: 'desc' }] as const

const foundShape = callsTable.select(...shown)
type Found = RowOfShape<typeof foundShape>

interface Searched {
  /** One more than requested, if there are more. */
  readonly found: readonly Found[]
  /** By id, the texts of `columns` that contain the search text. */
  readonly texts: ReadonlyMap<string, readonly Cell[]>
  readonly coverage: Coverage
  readonly callsRead: number
  /** Latest start of the calls that were not searched. */
  readonly next: number | undefined
}

/** Searches calls for a text, the newest first. */
export class CallSearcher {
  private readonly store: Store
  private readonly pathOf: (path: string) => string
  private readonly heavy: HeavyQuestions

  /** @param options `heavy`: by default, DuckDB reads all */
  constructor({ store, dialect, heavy }: { store: Store; dialect: Dialect; heavy?: HeavyQuestions }) {
    this.store = store
    this.pathOf = dialect.pathOf
    this.heavy = heavy ?? new HeavyQuestions()
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async search(reader: ProjectReader, request: CallSearchRequest, signal: AbortSignal): Promise<CallSearch> {
    const { filter, query, after, text, engine } = request
    const plan = await planPage(this.store, reader, { filter, query, after, sort_by: newestFirst }, signal)
    const limit = request.limit ?? explorationLimits.searchMatchesDefault
    const through = after ? parseTime(after[0]) : undefined
    const scope = { tables: tablesOf(plan), projectId: reader.projectId, signal, engine }
    const { found, texts, coverage, callsRead, next } = await this.heavy.read(this.store, scope, (snapshot, search) =>
      searchIn(snapshot, plan, { text, limit, through }, search),
    )
    const matches: CallSearch['matches'] = []
    const slice = new TimeSlice()
    for (const { id, trace_id, op_name, started_at: start, status } of found.slice(0, limit)) {
      const hits = this.hitsIn(text, texts.get(id) ?? [])
      await slice.yieldIfExpired()
      // Found between two values.
      if (hits.length === 0 && jsonSyntax.test(text)) continue
      matches.push({ id, trace_id, op_name, started_at: formatTime(start), status, hits })
    }
    const last = found.length > limit ? itemAt(found, limit - 1) : undefined
    return {
      matches,
      after:
        last !== undefined
          ? [formatTime(last.started_at), last.id]
          : next !== undefined
            ? [formatTime(next + 1), '']
            : null,
      calls_read: callsRead,
      is_partial: last === undefined && coverage.isOutOfTime,
    }
  }

  private hitsIn(text: string, cells: readonly Cell[]): Hit[] {
    const hits = new TextHits(text)
    for (const [at, column] of columns.entries()) {
      const stored = cells[at] ?? null
      if (stored === null) continue
      const cell = textIn(stored)
      const isJson = !isText(column)
      if (cell.startsWith('\0')) hits.addText(this.pathOf(column), cell.slice(1))
      else if (isJson) hits.addValue(this.pathOf(column), parseExactly(cell))
      else hits.addText(this.pathOf(column), cell)
    }
    return hits.hits
  }
}

/** What is searched for, and how it is read. */
interface Searching {
  readonly snapshot: Snapshot
  /** The whole question, with the condition on the texts. */
  readonly calls: CallsIn
  /** Newest start of interest, in microseconds. */
  readonly through: number | undefined
  readonly columns: Parameters<typeof compileSearchedTexts>[1]
}

async function searchIn(
  snapshot: Snapshot,
  plan: CallsPlan,
  { text, limit, through }: { text: string; limit: number; through: number | undefined },
  search: Search,
): Promise<Searched> {
  const needles = needlesOf(text)
  const where = all([plan.where, containsAny(needles)])
  const relations = { ...(await relationsOf(snapshot, plan)), calls: await callsRelation(snapshot, plan, where) }
  const charsMax = Math.floor(explorationLimits.searchedBytes / (limit + 1))
  const searching: Searching = {
    snapshot,
    calls: { plan: { ...plan, where, limit: limit + 1 }, relations },
    through,
    columns: { shown, columns, needles, charsMax, charsAround: explorationLimits.snippetCharsAfter },
  }
  if (search.isShort && !search.isAlwaysWanted) {
    // The newest calls often suffice.
    const searched = await inWindows(searching)
    // Begins anew as a long read, in which ClickHouse searches all, if it takes so much.
    if (searched.coverage.isOutOfTime) await search.narrowed(searching.calls)
    return searched
  }
  return (await inClickHouse(searching, search)) ?? (await inWindows(searching))
}

/** Undefined if ClickHouse is not asked. */
async function inClickHouse(searching: Searching, search: Search): Promise<Searched | undefined> {
  const { snapshot, calls, through } = searching
  const window = { after: undefined, through }
  const there = await search.narrowedWithin(calls, window)
  if (there === calls) return undefined
  const { projectId } = calls.plan
  const starts = await snapshot.rows(compileStartHistogram(calls.relations.calls, projectId, window))
  return {
    ...(await textsIn(searching, there)),
    coverage: { isComplete: true, isOutOfTime: false },
    callsRead: starts.reduce((sum, bucket) => sum + bucket.calls, 0),
    next: undefined,
  }
}

/** Searches the newest calls here, as long as the time allows. */
async function inWindows(searching: Searching): Promise<Searched> {
  const { snapshot, calls, through } = searching
  const { plan, relations } = calls
  const wanted = plan.limit ?? Number.POSITIVE_INFINITY
  const recent = new RecentCalls(snapshot, relations.calls, plan.projectId, through)
  const found: Found[] = []
  const texts = new Map<string, readonly Cell[]>()
  let callsRead = 0
  let next: number | undefined
  const coverage = await recent.read(async ({ window, relation, calls: inWindow }) => {
    const some = await textsIn(searching, {
      plan: { ...planWithin(plan, window), limit: wanted - found.length },
      relations: { ...relations, calls: relation },
    })
    found.push(...some.found)
    for (const [id, cells] of some.texts) texts.set(id, cells)
    callsRead += inWindow
    next = window.after
    return { found: found.length, wanted: wanted - found.length }
  })
  // The oldest windows may have no calls of the project.
  return { found, texts, coverage, callsRead, next: coverage.isComplete ? undefined : next }
}

async function textsIn({ snapshot, columns: searched }: Searching, { plan, relations }: CallsIn) {
  const rows = { ...matchingRows(plan, relations), sort: plan.sort, limit: plan.limit }
  const found: Found[] = []
  const texts = new Map<string, readonly Cell[]>()
  for (const cells of await snapshot.rows(compileSearchedTexts(rows, searched))) {
    found.push(foundShape.read(cells.slice(0, shown.length)))
    texts.set(textIn(cells[0]), cells.slice(shown.length))
  }
  return { found, texts }
}

/** Characters of JSON itself. */
const jsonSyntax = /["[\]{},:]/
