import type { ReadScope } from '../../engine/reads/reads.ts'
import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { pricedCallsCatalog } from '../../engine/tables/calls-query.ts'
import { callsTable, storedColumns, withDerived } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt, present } from '../../lib/present.ts'
import type { Cell } from '../../lib/table.ts'
import { numberIn, textIn } from '../../lib/typed-rows.ts'
import type { OutputNames } from '../../query/call-output.ts'
import type { CallsPlan } from '../../query/calls-plan.ts'
import { type DecidingField, decidingField, decidingTexts, onlyTimes } from '../../query/deciding-field.ts'
import { all, isAlways } from '../../query/expression.ts'
import { valuesOf } from '../../query/row-bounds.ts'
import { isOfRow, type RowOptions, rowLines } from '../../query/sql/call-columns.ts'
import { compileInlineCount } from '../../query/sql/inline-values.ts'
import { compileJsonLines, compileSplitJsonLines, compileStats } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'
import type { Costs } from '../costs/index.ts'
import { lineWithCosts, pricedRelations, pricesFor } from './add-costs.ts'
import { pageStart } from './after-row.ts'
import { CallLines } from './call-lines.ts'
import { type CallTable, CallTables, type TableOptions } from './call-tables.ts'
import { HeavyQuestions } from './clickhouse/heavy-questions.ts'
import type { Search } from './clickhouse/search.ts'
import { lookThroughRefs, noRefs, type RefResolver } from './expand-refs.ts'
import {
  type CallsRequest,
  type PlannedRead,
  parseCalls,
  planCalls,
  relationsOf,
  settledPlan,
  tablesOf,
} from './plan.ts'
import type { CallWriter } from './write-calls.ts'

/**
 * A count of all calls, or of those with some values of a field, without a snapshot. Undefined if
 * the data files do not say it alone.
 */
export async function countInFiles(store: Store, plan: CallsPlan, scope: ReadScope): Promise<number | undefined> {
  const { where, after } = plan
  if (after !== undefined) return undefined
  if (isAlways(where)) return await store.countRows(callsTable.name, scope)
  const deciding = decidingOf(plan)
  const texts = deciding && decidingTexts(deciding)
  if (texts === undefined) return undefined
  const { key, times } = deciding!
  const hints = { paths: pathsOf(key), times }
  return (await store.inFiles(callsTable.name, scope, (files) => files.countOf(key, texts, hints))) ?? undefined
}

/**
 * The row of a count of calls that a single field decides, from the values that data files count
 * themselves. Undefined if that is not possible.
 */
export async function countByIndex(snapshot: Snapshot, plan: CallsPlan): Promise<Cell[][] | undefined> {
  const { projectId, where } = plan
  const deciding = decidingOf(plan) ?? timesAloneOf(plan)
  if (deciding === undefined) return undefined
  const { key, times } = deciding
  const hints = { paths: pathsOf(key), times }
  const found = await snapshot.valueCounts(callsTable.name, key, hints, { values: valuesOf(where) })
  if (found === undefined) return undefined
  const inline = { projectId, key, counts: found.counts }
  return await snapshot.rows(compileInlineCount(inline, deciding.where, { relation: found.rest, where }))
}

function decidingOf({ where, anyOf, after }: CallsPlan): DecidingField | undefined {
  if (after !== undefined || Object.keys(anyOf).length > 0) return undefined
  return decidingField(where, itemAt(callsTable.order, 1))
}

/** A condition on times alone is one on the project, which all calls meet. */
function timesAloneOf({ where, anyOf, after }: CallsPlan): DecidingField | undefined {
  if (after !== undefined || Object.keys(anyOf).length > 0) return undefined
  const bounds = onlyTimes(where, itemAt(callsTable.order, 1))
  return bounds?.times && { key: callsTable.key[0], where: all([]), times: bounds.times }
}

const pathsOf = (key: string): string[] => (key.includes('/') ? [key] : [])

interface ReadDependencies {
  readonly store: Store
  readonly dialect: OutputNames
  readonly costs: Costs
  readonly usernames: () => ReadonlyMap<string, string>
  readonly refs?: RefResolver
  /** Default: DuckDB answers all. */
  readonly heavy?: HeavyQuestions
  /** Default: calls do not expire. */
  readonly retention?: { daysOf(projectId: string): number | undefined }
}

/** Reads calls. */
class CallReader {
  private readonly store: Store
  private readonly dialect: OutputNames
  private readonly costs: Costs
  private readonly usernames: () => ReadonlyMap<string, string>
  private readonly refs: RefResolver
  private readonly retention: ReadDependencies['retention']
  private readonly heavy: HeavyQuestions
  private readonly lines: CallLines
  private readonly tables: CallTables

  constructor({ store, dialect, costs, usernames, refs = noRefs, retention, heavy }: ReadDependencies) {
    this.heavy = heavy ?? new HeavyQuestions()
    this.retention = retention
    this.store = store
    this.dialect = dialect
    this.costs = costs
    this.usernames = usernames
    this.refs = refs
    this.lines = new CallLines({ store, costs, refs, heavy: this.heavy })
    this.tables = new CallTables({ store, costs, lines: this.lines, heavy: this.heavy })
  }

  /** The call as JSON text; null if it does not exist, was deleted or has not been started. */
  async read(reader: ProjectReader, id: string, request: CallsRequest): Promise<string | null> {
    // Refs are not expanded when a single call is read.
    const named = { ...request, filter: { call_ids: [id] }, expand_columns: undefined }
    // At most one row can match, so there is nothing to sort.
    const planned = planCalls(reader, named, this.dialect, this.usernames())
    const plan = { ...planned, output: this.withRetention(planned), sort: [] }
    const tables = tablesOf(plan)
    const isWhole = tables.length === 1 && plan.columns === undefined
    const line = isWhole && isOfRow(plan.output) ? await this.lineInFiles(reader, id, plan.output) : undefined
    if (line !== undefined) return line
    return await this.store.read(tables, reader, async (snapshot) => {
      const relations = await relationsOf(snapshot, plan)
      const prices = await pricesFor(this.costs, snapshot, plan, reader)
      if (prices === undefined) {
        const [row] = await snapshot.rows(compileJsonLines(plan, relations))
        return row === undefined ? null : textIn(row[0])
      }
      const [row] = await snapshot.rows(compileSplitJsonLines(plan, relations))
      return row === undefined ? null : lineWithCosts(row, prices)
    })
  }

  /** A call that can only be in data files; undefined if the request needs more than one row. */
  private async lineInFiles(
    { projectId }: ProjectReader,
    id: string,
    output: RowOptions,
  ): Promise<string | null | undefined> {
    const row = await this.store.rowInFiles(callsTable.name, { projectId, id }, storedColumns)
    return row === null || row === undefined ? row : rowLines(output)(withDerived(row))
  }

  /** One JSON text per call, in order, with constant memory. */
  async *jsonLines(reader: ProjectReader, request: CallsRequest, signal: AbortSignal): AsyncGenerator<string[]> {
    yield* this.lines.texts(await this.plan(reader, request), signal)
  }

  /** The lines as bytes with line feeds, in chunks of about half a megabyte. */
  async *jsonLinesBytes(reader: ProjectReader, request: CallsRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* this.lines.bytes(await this.plan(reader, request), signal)
  }

  /** Calls as a table, for columnar formats. */
  async table(reader: ProjectReader, request: CallsRequest, options: TableOptions): Promise<CallTable> {
    return await this.tables.table(await this.plan(reader, request), options)
  }

  /**
   * The calls as the bytes of one Parquet file, which stays in the temporary folder until they have
   * been read.
   */
  async parquet(
    reader: ProjectReader,
    request: CallsRequest,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Uint8Array>> {
    return await this.tables.parquet(await this.plan(reader, request), signal)
  }

  /** Whether a Parquet download that its client is not reading should be given up for others. */
  shouldYieldParquet(): boolean {
    return this.tables.answerFiles.requestPreemption()
  }

  /** Number of matching calls, up to the limit if there is one. */
  async stats(
    reader: ProjectReader,
    request: CallsRequest,
    signal?: AbortSignal,
  ): Promise<{ count: number; has_more: boolean; total_storage_size_bytes: number | null }> {
    const { limit, engine } = request
    if (limit !== null && limit !== undefined && limit < 1) {
      throw new DomainError('InvalidRequest', `\`limit\` must be at least 1, not ${limit}`)
    }
    const totalStorageSize = request.include_total_storage_size === true
    const { plan } = await this.plan(reader, request)
    const scope = { projectId: reader.projectId, signal }
    const isForced = engine === 'clickhouse'
    if (isForced && totalStorageSize)
      throw new DomainError('InvalidRequest', '`engine` and `include_total_storage_size` exclude each other')
    const known = totalStorageSize || isForced ? undefined : await countInFiles(this.store, plan, scope)
    if (known !== undefined) return { ...limitedCount(known, limit), total_storage_size_bytes: null }
    return await this.heavy.read(this.store, { ...scope, tables: tablesOf(plan), engine }, async (snapshot, search) => {
      const row = await this.statsIn(snapshot, { reader, plan }, totalStorageSize, search)
      const total = totalStorageSize ? numberIn(row?.[1]) : null
      return {
        ...limitedCount(present(numberIn(row?.[0]), 'The number of calls'), limit),
        total_storage_size_bytes: total,
      }
    })
  }

  private async statsIn(
    snapshot: Snapshot,
    { reader, plan }: PlannedRead,
    totalStorageSize: boolean,
    search: Search,
  ): Promise<Cell[] | undefined> {
    const stated = totalStorageSize || search.isForced ? undefined : await countByIndex(snapshot, plan)
    if (stated !== undefined) return stated[0]
    const relations = await pricedRelations(this.costs, snapshot, plan, reader)
    const calls = totalStorageSize ? { plan, relations } : await search.counted({ plan, relations })
    if (typeof calls === 'number') return [calls]
    const [row] = await snapshot.rows(compileStats(calls.plan, calls.relations, { totalStorageSize }))
    return row
  }

  private withRetention({ projectId, output }: Pick<CallsPlan, 'projectId' | 'output'>): CallsPlan['output'] {
    return { ...output, retentionDays: this.retention?.daysOf(projectId) }
  }

  /**
   * Plans the read of a request. Filters and sort keys look through the refs at `expand_columns`.
   */
  private async plan(reader: ProjectReader, request: CallsRequest): Promise<PlannedRead> {
    const { store, refs } = this
    const asSent = parseCalls(reader, request, this.dialect, this.usernames(), pricedCallsCatalog)
    const parsed = { ...asSent, output: this.withRetention(asSent) }
    const conditions = await lookThroughRefs(reader, parsed, { store, refs })
    const { cursor, projectId } = parsed
    const start = cursor && (await pageStart(store, { projectId }, cursor, conditions.sort))
    return { reader, plan: settledPlan(parsed, conditions, start), engine: request.engine }
  }
}

function limitedCount(found: number, limit: number | null | undefined): { count: number; has_more: boolean } {
  const count = Math.min(found, limit ?? Number.POSITIVE_INFINITY)
  return { count, has_more: limit !== null && limit !== undefined && count >= limit }
}

/** Writing and querying traced calls. */
export class Calls {
  readonly writer: CallWriter
  readonly reader: CallReader

  private readonly dependencies: ReadDependencies

  constructor(dependencies: ReadDependencies, writer: CallWriter) {
    this.dependencies = dependencies
    this.writer = writer
    this.reader = new CallReader(dependencies)
  }

  /** The same calls, answered in other names. */
  inNames(dialect: OutputNames): Calls {
    return new Calls({ ...this.dependencies, dialect }, this.writer)
  }
}
