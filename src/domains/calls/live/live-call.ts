import type { AnyOf } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { parseErrorInside } from '../../../engine/tables/call-lineage.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import { allSpellings, opShortName } from '../../../formats/dialect/ref.ts'
import { responseLimits } from '../../../lib/limits/responses.ts'
import { formatTime } from '../../../lib/time.ts'
import type { RowOfShape } from '../../../lib/typed-rows.ts'
import { type CallsPlan, matchingRows } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf } from '../../../query/expression.ts'
import { displayName, turnId } from '../../../query/sql/call-answer.ts'
import { compilePlanned, compileRows } from '../../../query/sql/statements.ts'
import type { ProjectReader } from '../../access/index.ts'
import { relationsOf, tablesOf } from '../plan.ts'

/** Columns of a call that live tails read: the small ones. */
const liveColumns = [
  'id',
  'project_id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'ext_user_id',
  'started_at',
  'ended_at',
  'status',
  'latency_ms',
  'exception',
  'error_inside',
  'written_at',
] as const

/** A call as stored, by column; times in microseconds. */
const liveShape = callsTable.select(...liveColumns)
export type LiveCall = RowOfShape<typeof liveShape>

/** An event in the life of a call. */
export type EventKind = 'start' | 'end'

/** Which calls a live tail shows. */
export interface LiveFilter {
  /** Op name: as stored, the prefix before `:*`, or the name inside the ref. */
  readonly opName: string | undefined
  readonly rootsOnly: boolean
  readonly traceId: string | undefined
  readonly threadId: string | undefined
  /** Statuses of the events to show; undefined for all. */
  readonly statuses: ReadonlySet<string> | undefined
  /** Conditions that the store checks; undefined for none. */
  readonly plan: CallsPlan | undefined
}

/** Statuses of a call. */
export const callStatuses = ['success', 'error', 'running', 'descendant_error'] as const

/**
 * Whether a tail shows what happened to a call. A call that starts is running, even if it has
 * ended.
 */
export const isStatusWanted = (eventKind: EventKind, { status }: LiveCall, { statuses }: LiveFilter): boolean =>
  statuses === undefined || statuses.has(eventKind === 'start' ? 'running' : status)

/** Whether a live tail shows the call, judged by its small members. */
export function isWanted(call: LiveCall, { opName, rootsOnly, traceId, threadId }: LiveFilter): boolean {
  if (rootsOnly && call.parent_id !== null) return false
  if (traceId !== undefined && call.trace_id !== traceId) return false
  if (threadId !== undefined && call.thread_id !== threadId) return false
  if (opName === undefined) return true
  const name = call.op_name ?? ''
  if (opName.endsWith(':*')) return allSpellings(opName.slice(0, -1)).some((prefix) => name.startsWith(prefix))
  return allSpellings(opName).includes(name) || opShortName(name) === opName
}

/**
 * An event of the stream (WHATWG HTML, section 9.2). A start contains nothing about the end, even
 * if it is already known.
 */
export function eventText(
  eventKind: EventKind,
  call: LiveCall,
  eventId: string,
  nameOf: (member: string) => string,
): string {
  const time = (micros: number | null) => (micros === null ? null : formatTime(micros))
  const exception = call.exception
  const end =
    eventKind === 'start'
      ? { ended_at: null, status: 'running', latency_ms: null, exception: null, error_inside: null }
      : {
          ended_at: time(call.ended_at),
          status: call.status,
          latency_ms: call.latency_ms,
          // Truncation may split a character.
          exception: exception?.slice(0, responseLimits.liveExceptionCharsMax).toWellFormed(),
          error_inside: parseErrorInside(call.error_inside) ?? null,
        }
  const { written_at: _, ...members } = {
    ...call,
    display_name: displayName.of(call),
    turn_id: turnId.of(call),
    started_at: time(call.started_at),
    ...end,
  }
  const data = Object.fromEntries(Object.entries(members).map(([name, value]) => [nameOf(name), value]))
  return messageText(eventKind, data, eventId)
}

/** An event with JSON data. */
export const messageText = (event: string, data: unknown, eventId?: string): string =>
  `${eventId === undefined ? '' : `id: ${eventId}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Reads calls for live tails. */
export class LiveCallsReader {
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  /** The calls that exist, by id. */
  async byId(projectId: string, ids: readonly string[]): Promise<Map<string, LiveCall>> {
    const calls = await this.read(projectId, fieldOneOf(columnField('id'), ids), { id: ids })
    return new Map(calls.map((call) => [call.id, call]))
  }

  /**
   * Calls written after a time, in order of writing; at most one more than the event buffer of a
   * project.
   */
  async writtenAfter({ projectId }: ProjectReader, micros: number, limit: number): Promise<LiveCall[]> {
    const field = { kind: 'column', column: 'written_at', type: 'time' } as const
    const where: Expression = { kind: 'within', field, after: micros, through: undefined }
    return await this.read(projectId, where, {}, { sort: [{ field, direction: 'asc' }], limit })
  }

  /** Those of the ids whose calls meet the conditions of a plan now. */
  async matching(plan: CallsPlan, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { projectId } = plan
    return await this.store.read(tablesOf(plan), { projectId }, async (snapshot) => {
      const relations = await relationsOf(snapshot, { ...plan, anyOf: { id: ids } })
      const where = all([plan.where, fieldOneOf(columnField('id'), ids)])
      const rows = { ...matchingRows({ ...plan, where }, relations), columns: ['id'] }
      const found = await snapshot.rows({ ...compilePlanned(rows), shape: callsTable.select('id') })
      return new Set(found.map(({ id }) => id))
    })
  }

  private async read(
    projectId: string,
    where: Expression,
    anyOf: AnyOf,
    page: { sort?: Parameters<typeof compileRows>[0]['sort']; limit?: number } = {},
  ): Promise<LiveCall[]> {
    return await this.store.read([callsTable.name], { projectId }, async (snapshot) => {
      const relation = await snapshot.relationWhere(callsTable.name, anyOf)
      const sql = compileRows({ relation, projectId, where, columns: liveColumns, ...page })
      return await snapshot.rows({ ...sql, shape: liveShape })
    })
  }
}
