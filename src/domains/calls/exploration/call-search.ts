import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { Dialect } from '../../../formats/dialect/dialect.ts'
import { parseExactly } from '../../../formats/wire/exact-json.ts'
import { isJsonObject, isRawNumber } from '../../../lib/json-value.ts'
import { explorationLimits } from '../../../lib/limits/exploration.ts'
import { itemAt } from '../../../lib/present.ts'
import type { Cell } from '../../../lib/table.ts'
import { formatTime, parseTime } from '../../../lib/time.ts'
import { type RowOfShape, textIn } from '../../../lib/typed-rows.ts'
import type { CallsPlan } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, any, type Expression, fieldValue, textConstant } from '../../../query/expression.ts'
import { TimeSlice } from '../../../runtime/platform/event-loop.ts'
import type { ProjectReader } from '../../access/index.ts'
import { planPage } from '../after-row.ts'
import type { CallSearch, CallSearchRequest, Hit } from '../model/call-search.ts'
import { callsRelation, relationsOf, tablesOf } from '../plan.ts'
import { compileSearchedTexts } from '../sql/exploration.ts'
import { escapedSegment } from './field-count.ts'
import { type Coverage, RecentCalls } from './recent-calls.ts'

/** Finds a text, in upper or lower case, in texts and JSON values. */
class TextHits {
  readonly hits: Hit[] = []
  private readonly pattern: RegExp

  constructor(text: string) {
    this.pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\-', '-'), 'iu')
  }

  get isFull(): boolean {
    return this.hits.length >= explorationLimits.searchHitsMax
  }

  /** Searches a value and everything in it, names of members included. */
  addValue(path: string, value: unknown): void {
    if (this.isFull) return
    if (typeof value === 'string') this.addText(path, value)
    else if (Array.isArray(value)) {
      for (let at = 0; at < value.length && !this.isFull; at++) this.addValue(`${path}.${at}`, value[at])
    } else if (isRawNumber(value)) this.addText(path, value.rawJSON)
    else if (isJsonObject(value)) {
      for (const key in value) {
        if (this.isFull) return
        const inside = `${path}.${escapedSegment(key)}`
        this.addText(inside, key)
        this.addValue(inside, value[key])
      }
    } else this.addText(path, String(value))
  }

  /** Searches a text. Several occurrences in one text are one hit. */
  addText(path: string, text: string): void {
    const found = this.isFull ? null : this.pattern.exec(text)
    if (found === null) return
    const from = Math.max(0, found.index - explorationLimits.snippetCharsBefore)
    const through = found.index + found[0].length
    // Truncation may split a character.
    const before = text.slice(from, found.index).toWellFormed()
    const after = text.slice(through, through + explorationLimits.snippetCharsAfter).toWellFormed()
    this.hits.push({
      path,
      snippet: before + found[0] + after,
      start: before.length,
      end: before.length + found[0].length,
    })
  }
}

/** Columns that are searched, in the order of the hits. */
const textColumns = ['op_name', 'display_name', 'exception'] as const
const jsonColumns = ['inputs', 'output', 'attributes'] as const
const columns = [...textColumns, ...jsonColumns]
const shown = ['id', 'trace_id', 'op_name', 'started_at', 'status', 'payload_bytes'] as const

const newestFirst = [{ field: 'started_at', direction: 'desc' }] as const
const startedAt = columnField('started_at', 'time')

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

  constructor({ store, dialect }: { store: Store; dialect: Dialect }) {
    this.store = store
    this.pathOf = dialect.pathOf
  }

  /** @throws DomainError InvalidField, InvalidRequest */
  async search(reader: ProjectReader, request: CallSearchRequest, signal: AbortSignal): Promise<CallSearch> {
    const { filter, query, after, text } = request
    const scope = { projectId: reader.projectId, signal }
    const plan = await planPage(this.store, reader, { filter, query, after, sort_by: newestFirst }, signal)
    const limit = request.limit ?? explorationLimits.searchMatchesDefault
    const through = after ? parseTime(after[0]) : undefined
    const { found, texts, coverage, callsRead, next } = await this.store.read(tablesOf(plan), scope, (snapshot) =>
      searchIn(snapshot, plan, { text, limit, through }),
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
      const isJson = at >= textColumns.length
      if (cell.startsWith('\0')) hits.addText(this.pathOf(column), cell.slice(1))
      else if (isJson) hits.addValue(this.pathOf(column), parseExactly(cell))
      else hits.addText(this.pathOf(column), cell)
    }
    return hits.hits
  }
}

async function searchIn(
  snapshot: Snapshot,
  plan: CallsPlan,
  { text, limit, through }: { text: string; limit: number; through: number | undefined },
): Promise<Searched> {
  const { projectId, sort, after } = plan
  const needles = columns.map((_, at) => (at < textColumns.length ? text : inJson(text)).toLowerCase())
  const { feedback, queues } = await relationsOf(snapshot, plan)
  const relation = await callsRelation(snapshot, plan, all([plan.where, containsAny(needles)]))
  const recent = new RecentCalls(snapshot, relation, projectId, through)
  const found: Found[] = []
  const texts = new Map<string, readonly Cell[]>()
  const charsMax = Math.floor(explorationLimits.searchedBytes / (limit + 1))
  const searched = { shown, columns, needles, charsMax, charsAround: explorationLimits.snippetCharsAfter }
  let callsRead = 0
  let next: number | undefined
  const coverage = await recent.read(async ({ window, relation, calls }) => {
    const where = all([plan.where, { kind: 'within', field: startedAt, ...window }, containsAny(needles)])
    const rows = { relation, projectId, feedback, queues, where, sort, after, limit: limit + 1 - found.length }
    for (const cells of await snapshot.rows(compileSearchedTexts(rows, searched))) {
      found.push(foundShape.read(cells.slice(0, shown.length)))
      texts.set(textIn(cells[0]), cells.slice(shown.length))
    }
    callsRead += calls
    next = window.after
    return { found: found.length, wanted: limit + 1 - found.length }
  })
  // The oldest windows may have no calls of the project.
  return { found, texts, coverage, callsRead, next: coverage.isComplete ? undefined : next }
}

/** Characters of JSON itself. */
const jsonSyntax = /["[\]{},:]/

/** A text as escaped inside the JSON that the store writes. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const containsAny = (needles: readonly string[]): Expression =>
  any(
    columns.map((column, at) => ({
      kind: 'contains',
      input: fieldValue(columnField(column)),
      part: { kind: 'constant', constant: textConstant(itemAt(needles, at)) },
      ignoreCase: true,
    })),
  )
