import { callsTable } from '../../engine/tables/calls-table.ts'
import { BatchCodec } from '../../engine/wal/batch-codec.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { itemAt, present, valueAt } from '../../lib/present.ts'
import { type CellReader, cellReader, type Row } from '../../lib/table.ts'
import type { ProjectWriter } from '../access/index.ts'
import type { CallWriter, ChangedCalls, PreparedSpans, SpanBatch, StatedResponse } from '../calls/index.ts'
import type { TurnCall } from './turns.ts'

/** A call with usage that names the response it is about. */
export interface ResponseCall extends StatedResponse {
  readonly writer: ProjectWriter
}

/** The calls of a trace that state the usage of one response. */
interface SameResponse {
  /** The one that counts. */
  counting: StatedResponse
  /** Ids of others. */
  readonly others: string[]
}

/**
 * Finds calls beside each other that state the usage of the same response, as an instrumentation
 * and the package of a provider do. The one that started last is closest to the provider, and
 * counts. Remembers the latest responses, because exporters send spans as they end.
 */
export class SameResponses {
  private readonly known = new BoundedMap<string, SameResponse>(telemetryLimits.sameResponsesMax)

  /** Returns the calls, also of earlier exports, whose usage is stated by another call. */
  others(calls: readonly ResponseCall[]): { readonly writer: ProjectWriter; readonly id: string }[] {
    return calls.flatMap((call) => {
      const { writer, traceId, responseId } = call
      const key = `${writer.projectId}\n${traceId}\n${responseId}`
      const known = this.known.get(key)
      if (known === undefined) {
        this.known.set(key, { counting: call, others: [] })
        return []
      }
      // A retry says again what may not have been stored.
      if (known.counting.id === call.id) return known.others.map((id) => ({ writer, id }))
      const [counting, other] = isCloser(call, known.counting) ? [call, known.counting] : [known.counting, call]
      known.counting = counting
      if (!known.others.includes(other.id)) known.others.push(other.id)
      if (known.others.length > telemetryLimits.callsOfResponseMax) known.others.shift()
      return [{ writer, id: other.id }]
    })
  }
}

/** Whether a call is inside of what the other one took, or comes after it. */
const isCloser = (call: StatedResponse, other: StatedResponse): boolean =>
  call.startedAt === other.startedAt ? call.endedAt < other.endedAt : call.startedAt > other.startedAt

const { at } = callsTable
const codec = new BatchCodec(callsTable)

/** The calls of an export, whose ops are known, on their way to the store. */
export interface StorableSpans {
  /** Whether one of them is a turn of a conversation if no call above belongs to it. */
  readonly mayHaveTurn: boolean
  readonly responses: readonly ResponseCall[]
  /** All calls, for their turns to be determined. */
  turnCalls(): readonly TurnCall[]
  /**
   * Stores the calls, with the turns that `turnCalls` have been given, in one durable write.
   *
   * @throws DomainError Overloaded, StoreUnavailable, InsufficientStorage
   */
  store(changed: ChangedCalls): Promise<void>
}

/** A call made from a span, as a row that may still change. */
export interface SpanRow {
  readonly row: Row
  readonly writer: ProjectWriter
  readonly mayBeTurn: boolean
}

interface RowsOfSpans {
  /** Holds the rows. */
  readonly batch: SpanBatch
  readonly rows: readonly SpanRow[]
  readonly responses: readonly ResponseCall[]
  /** Makes the last changes of rows, and stores them by calling `store`. */
  readonly finish: (store: () => Promise<void>) => Promise<void>
}

/** Calls that are rows. */
export function storableRows({ batch, rows, responses, finish }: RowsOfSpans): StorableSpans {
  let calls: readonly TurnCall[] = []
  return {
    mayHaveTurn: rows.some(({ mayBeTurn }) => mayBeTurn),
    responses,
    turnCalls: () => {
      calls = rows.map(({ row, writer, mayBeTurn }) => turnCall(cellReader(row), writer, mayBeTurn))
      return calls
    },
    store: async ({ moved = [], elsewhere = [] }) => {
      for (const [index, { turnId }] of calls.entries())
        if (turnId !== undefined) itemAt(rows, index).row[at.turn_id] = turnId
      for (const { writer, id, turnId } of moved) batch.setTurn(writer, id, turnId)
      for (const { writer, id } of elsewhere) batch.setElsewhere(writer, id)
      await finish(() => batch.store())
    },
  }
}

/** Calls that a thread has encoded. @param writers those of their projects */
export function storableEncoded(
  calls: CallWriter,
  { projects, mayBeTurn, responses, ...messages }: PreparedSpans,
  writers: ReadonlyMap<string, ProjectWriter>,
): StorableSpans {
  const writerOf = (projectId: string): ProjectWriter => valueAt(writers, projectId)
  const encoded = codec.encoded(messages)
  let turnCalls: readonly TurnCall[] = []
  return {
    mayHaveTurn: mayBeTurn.includes(1),
    responses: responses.map((response) => ({ ...response, writer: writerOf(response.projectId) })),
    turnCalls: () => {
      turnCalls = encoded.rows.map((row, index) => {
        const writer = writerOf(row.batch.repeatedText(at.project_id, row.index))
        return turnCall(row, writer, mayBeTurn[index] === 1)
      })
      return turnCalls
    },
    store: async (changed) => {
      const turnIds = turnCalls.map(({ turnId, mayBeTurn }, index) =>
        mayBeTurn ? (turnId ?? null) : itemAt(encoded.rows, index).text(at.turn_id),
      )
      // Earlier exports may have calls above those of this one.
      const isAsExpected = turnIds.every((turnId, index) => itemAt(encoded.rows, index).text(at.turn_id) === turnId)
      const marked = isAsExpected ? encoded : codec.withTexts(encoded, 'turn_id', turnIds)
      await calls.storeEncoded(writerOf, { ...marked, projects }, changed)
    },
  }
}

const turnCall = (row: CellReader, writer: ProjectWriter, mayBeTurn: boolean): TurnCall => ({
  writer,
  id: present(row.text(at.id), 'The id of a span'),
  traceId: present(row.text(at.trace_id), 'The trace of a span'),
  parentId: row.text(at.parent_id),
  threadId: row.text(at.thread_id),
  mayBeTurn,
})
