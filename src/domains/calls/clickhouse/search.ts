import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { DomainError, type ErrorType } from '../../../lib/errors.ts'
import { queryLimits } from '../../../lib/limits/queries.ts'
import { type CallsIn, callsWithin, type TimeWindow } from '../../../query/calls-plan.ts'
import { isExpensive } from '../../../query/cost.ts'
import { type Expression, isAlways } from '../../../query/expression.ts'
import { conjuncts } from '../../../query/row-bounds.ts'
import { type DividedCondition, divideCondition, isWholeThere } from '../../../query/sql/clickhouse/division.ts'
import { type SharedBranches, sharedBranches } from '../../../query/sql/clickhouse/shared-branches.ts'
import { visitFields } from '../../../query/walk.ts'
import type { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import { readCost, type SearchCost } from '../../../runtime/platform/read-cost.ts'
import { countCalls } from './count-calls.ts'
import { findCalls, TooManyFound } from './find-calls.ts'
import { refusalOf, type SharedRead } from './shared-read.ts'

/** Failures after which DuckDB answers a request that names no engine. */
const overcome: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'StoreUnavailable', 'QueryTooLarge', 'Overloaded'])

/**
 * How long ClickHouse is left alone once it was not available, unless a request names it and is
 * answered.
 */
const pauseMs = 30_000

const payloads: ReadonlySet<string> = new Set(
  callsTable.columns.filter(({ type }) => type === 'json').map(({ name }) => name),
)

/** Whether a condition reads JSON, or whole payloads as texts. */
function isHeavy(condition: Expression): boolean {
  let readsPayload = false
  visitFields(condition, (field) => {
    readsPayload ||= field.kind === 'column' && payloads.has(field.column)
  })
  return readsPayload || isExpensive(condition)
}

/**
 * Adds to what the request learns of its searches. What ClickHouse did counts most.
 *
 * @param reason may be the message of an error, whose advice is of no use to an answered request
 */
function note(engine: SearchCost['engine'], reason: string, ms: number, bytes: number): void {
  const cost = readCost()
  if (cost === undefined) return
  const before = cost.search
  const [why = ''] = reason.split('; ')
  const last = before?.engine === 'clickhouse' && engine === 'duckdb' ? before : { engine, reason: why }
  cost.search = { ...last, ms: (before?.ms ?? 0) + ms, bytes: (before?.bytes ?? 0) + bytes }
}

/** Thrown where a search would make a short read long. */
export class NeedsLongRead extends Error {}

/** A ClickHouse server, and whether it is asked unless a request names it. */
export class Answering {
  readonly server: ClickHouseServer
  private pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(server: ClickHouseServer) {
    this.server = server
  }

  /**
   * Why it does not search so many bytes, of more that it would have to read; undefined if it does.
   * See docs/decisions/304-when-clickhouse-is-asked.md.
   */
  refusalOf({ bytes, bytesThere }: Pick<SharedBranches, 'bytes' | 'bytesThere'>): string | undefined {
    const { bytesMin } = this.server
    if (bytes < bytesMin) return 'little is to be searched'
    if (bytesMin > 0 && bytes < bytesThere * queryLimits.clickHouseShareMin)
      return 'indexes leave a small part of the files'
    return performance.now() < this.pausedUntilMs ? 'ClickHouse could not be reached just now' : undefined
  }

  pause(): void {
    this.pausedUntilMs = performance.now() + pauseMs
  }

  resume(): void {
    this.pausedUntilMs = Number.NEGATIVE_INFINITY
  }
}

interface SearchOptions {
  readonly snapshot: Snapshot
  /** Whether the request names ClickHouse. */
  readonly isForced: boolean
  /** Whether others wait for the end of the read. */
  readonly isShort?: true
  readonly signal: AbortSignal | undefined
}

/**
 * The search of one read in data files by ClickHouse. Both engines see one snapshot, and the answer
 * is that of DuckDB. See docs/decisions/303-searches-in-clickhouse.md.
 */
export class Search {
  private readonly answering: Answering | undefined
  private readonly options: SearchOptions

  /** @param answering absent if DuckDB has to answer */
  constructor(answering: Answering | undefined, options: SearchOptions) {
    this.answering = answering
    this.options = options
  }

  get isForced(): boolean {
    return this.options.isForced
  }

  /** Whether it throws NeedsLongRead rather than ask ClickHouse. */
  get isShort(): boolean {
    return this.options.isShort === true
  }

  /** Whether ClickHouse is asked whatever the amount of data. */
  get isAlwaysWanted(): boolean {
    return this.isForced || this.answering?.server.bytesMin === 0
  }

  /**
   * The calls of a plan, restricted to those that ClickHouse found, if it was asked.
   *
   * @throws DomainError InvalidRequest, StoreUnavailable, Overloaded, QueryTooLarge if the request
   *   names ClickHouse and it does not answer; QueryTimeout, RequestCancelled; NeedsLongRead;
   *   TooManyFound even if the request names no engine, with `mayBeTooMany`
   */
  async narrowed(calls: CallsIn, options: { readonly mayBeTooMany?: true } = {}): Promise<CallsIn> {
    return (await this.ask(calls, findCalls, options)) ?? calls
  }

  /** The same where only the calls that started within a window matter. */
  async narrowedWithin(calls: CallsIn, window: TimeWindow): Promise<CallsIn> {
    const inTime = callsWithin(calls, window)
    const found = await this.narrowed(inTime)
    return found === inTime ? calls : found
  }

  /** Calls that DuckDB reads, because ClickHouse finds too many. */
  leftHere(calls: CallsIn): CallsIn {
    note('duckdb', new TooManyFound().message, 0, sharedBranches(calls.relations.calls).bytes)
    return calls
  }

  /** The number of calls of a plan, or the calls for DuckDB to count. Throws like `narrowed`. */
  async counted(calls: CallsIn): Promise<number | CallsIn> {
    const count = async (read: SharedRead, divided: DividedCondition) =>
      isWholeThere(divided) ? await countCalls(read) : await findCalls(read, divided)
    return (await this.ask<number | CallsIn>(calls, count)) ?? calls
  }

  private async ask<T>(
    { plan, relations }: CallsIn,
    answerOf: (read: SharedRead, divided: DividedCondition) => Promise<T | undefined>,
    { mayBeTooMany }: { readonly mayBeTooMany?: true } = {},
  ): Promise<T | undefined> {
    const { answering } = this
    const { isForced, isShort, snapshot, signal } = this.options
    if (answering === undefined) return undefined
    const shared = sharedBranches(relations.calls)
    const refusal = isForced ? undefined : answering.refusalOf(shared)
    if (refusal !== undefined) {
      if (conjuncts(plan.where).some(isHeavy)) note('duckdb', refusal, 0, 0)
      return undefined
    }
    const divided = divideCondition(plan.where)
    if (!this.takes(shared, divided)) return undefined
    if (isShort) throw new NeedsLongRead()
    const startMs = performance.now()
    const spent = (engine: SearchCost['engine'], reason: string) =>
      note(engine, reason, performance.now() - startMs, engine === 'clickhouse' ? shared.bytesThere : shared.bytes)
    try {
      const { server } = answering
      const answer = await answerOf({ server, snapshot, plan, relations, shared, signal }, divided)
      answering.resume()
      if (answer === undefined) spent('duckdb', 'the engines might differ for some calls')
      else spent('clickhouse', isForced ? 'the request names it' : 'much is to be searched')
      return answer
    } catch (error) {
      if (mayBeTooMany && error instanceof TooManyFound) {
        note('duckdb', error.message, performance.now() - startMs, 0)
        throw error
      }
      if (isForced || !(error instanceof DomainError) || !overcome.has(error.type)) throw error
      if (error.type === 'StoreUnavailable') answering.pause()
      spent('duckdb', error.message)
      return undefined
    }
  }

  /** @throws DomainError InvalidRequest if the request names ClickHouse, which cannot answer it */
  private takes({ paths }: SharedBranches, { there, reason }: DividedCondition): boolean {
    // Plain columns are compared as fast here.
    if (!this.isForced) return paths.length > 0 && conjuncts(there).some(isHeavy)
    if (isAlways(there) && reason !== undefined) throw refusalOf(reason)
    return paths.length > 0
  }
}
