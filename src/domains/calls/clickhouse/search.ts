import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { DomainError, type ErrorType } from '../../../lib/errors.ts'
import { isExpensive } from '../../../query/cost.ts'
import { isAlways } from '../../../query/expression.ts'
import { conjuncts } from '../../../query/row-bounds.ts'
import { type DividedCondition, divideCondition, isWholeThere } from '../../../query/sql/clickhouse/division.ts'
import { type SharedBranches, sharedBranches } from '../../../query/sql/clickhouse/shared-branches.ts'
import type { ClickHouseServer } from '../../../runtime/clickhouse/clickhouse-server.ts'
import { readCost } from '../../../runtime/platform/read-cost.ts'
import { countCalls } from './count-calls.ts'
import { type CallsIn, findCalls } from './find-calls.ts'
import { refusalOf, type SharedRead } from './shared-read.ts'

/** Failures after which DuckDB answers a request that names no engine. */
const overcome: ReadonlySet<ErrorType> = new Set(['InvalidRequest', 'StoreUnavailable', 'QueryTooLarge', 'Overloaded'])

/** How long ClickHouse is left alone once it was not available, unless a request names it. */
const pauseMs = 30_000

/** Thrown where a search would make a short read long. */
export class NeedsLongRead extends Error {}

/** A ClickHouse server, and whether it is asked unless a request names it. */
export class Answering {
  readonly server: ClickHouseServer
  private pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(server: ClickHouseServer) {
    this.server = server
  }

  /** Whether so many bytes are worth a search there. */
  isWorth(bytes: number): boolean {
    return bytes >= this.server.bytesMin && performance.now() >= this.pausedUntilMs
  }

  pause(): void {
    this.pausedUntilMs = performance.now() + pauseMs
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

  /**
   * The calls of a plan, restricted to those that ClickHouse found, if it was asked.
   *
   * @throws DomainError InvalidRequest, StoreUnavailable, Overloaded, QueryTooLarge if the request
   *   names ClickHouse and it does not answer; QueryTimeout, RequestCancelled; NeedsLongRead
   */
  async narrowed(calls: CallsIn): Promise<CallsIn> {
    return (await this.ask(calls, findCalls)) ?? calls
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
  ): Promise<T | undefined> {
    const { answering } = this
    const { isForced, isShort, snapshot, signal } = this.options
    if (answering === undefined) return undefined
    const shared = sharedBranches(relations.calls)
    if (!isForced && (shared.paths.length === 0 || !answering.isWorth(shared.bytes))) return undefined
    const divided = divideCondition(plan.where)
    if (!this.takes(shared, divided)) return undefined
    if (isShort) throw new NeedsLongRead()
    try {
      const { server } = answering
      const answer = await answerOf({ server, snapshot, plan, relations, shared, signal }, divided)
      if (answer !== undefined) readCost()?.engines.add('clickhouse')
      return answer
    } catch (error) {
      if (isForced || !(error instanceof DomainError) || !overcome.has(error.type)) throw error
      if (error.type === 'StoreUnavailable') answering.pause()
      return undefined
    }
  }

  /** @throws DomainError InvalidRequest if the request names ClickHouse, which cannot answer it */
  private takes({ paths }: SharedBranches, { there, reason }: DividedCondition): boolean {
    // Plain columns are compared as fast here.
    if (!this.isForced) return conjuncts(there).some(isExpensive)
    if (isAlways(there) && reason !== undefined) throw refusalOf(reason)
    return paths.length > 0
  }
}
