import { callsTable } from '../../engine/tables/calls-table.ts'
import { BatchCodec } from '../../engine/wal/batch-codec.ts'
import type { BatchRow } from '../../lib/column-batch.ts'
import { DomainError } from '../../lib/errors.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'
import type { CallIntake, CallWriter, OpVersion, PreparedSpans } from '../calls/index.ts'
import type { SameResponses } from './same-responses.ts'
import type { SpanOps } from './span-ops.ts'
import { type OpenTurns, type TurnCall, Turns } from './turns.ts'

/** An export of spans as it was sent, decompressed. */
export interface TraceExport {
  readonly bytes: Uint8Array
  readonly encoding: 'protobuf' | 'json'
  /** Project of spans whose resource names none. */
  readonly project: string | undefined
}

interface PreparedTracesDependencies {
  readonly intake: CallIntake
  readonly calls: CallWriter
  readonly ops: SpanOps
  readonly openTurns: OpenTurns
  readonly sameResponses: SameResponses
}

type Writers = ReadonlyMap<string, ProjectWriter>

const { at } = callsTable

/**
 * Stores exports that threads have decoded, mapped and encoded. What remains is what needs the
 * store or earlier exports: access, ops, and the turns of conversations.
 */
export class PreparedTraces {
  private readonly deps: PreparedTracesDependencies
  private readonly codec = new BatchCodec(callsTable)

  constructor(deps: PreparedTracesDependencies) {
    this.deps = deps
  }

  /**
   * Stores an export in one durable write. Returns the number of spans; 0 if nothing was stored,
   * because no thread could prepare it as a whole.
   *
   * @throws DomainError Overloaded, StoreUnavailable, InsufficientStorage
   */
  async store(caller: Caller, sent: TraceExport): Promise<number> {
    if (!this.deps.intake.accepts(sent.bytes.byteLength)) return 0
    const first = await this.prepare(caller, sent, [])
    const writers = first && writersOf(caller, first)
    if (first === undefined || writers === undefined) return 0
    // Before the calls that refer to them.
    const ops = await this.versionsOf(first, writers)
    const isKnown = first.ops.every(({ version }, index) => version === ops[index]!.version)
    const prepared = isKnown ? first : await this.prepare(caller, sent, ops)
    if (prepared === undefined) return 0
    await this.write(prepared, writers)
    return prepared.mayBeTurn.length
  }

  private prepare(caller: Caller, sent: TraceExport, ops: readonly OpVersion[]): Promise<PreparedSpans | undefined> {
    const { encoding, project } = sent
    const { userId, defaultEntity: entity } = caller
    const opVersion = this.deps.ops.placeholderDigest
    return this.deps.intake.prepareSpans(sent.bytes, { encoding, project, entity, userId, opVersion, ops })
  }

  private async versionsOf({ ops }: PreparedSpans, writers: Writers): Promise<OpVersion[]> {
    const names = ops.map(({ projectId, name }) => ({ writer: writers.get(projectId)!, name }))
    const versions = await this.deps.ops.versions(names)
    return ops.map(({ projectId, name }, index) => ({ projectId, name, version: versions[index] ?? null }))
  }

  private async write({ ops: _ops, mayBeTurn, responses, ...calls }: PreparedSpans, writers: Writers): Promise<void> {
    const { openTurns, sameResponses } = this.deps
    const writerOf = (projectId: string): ProjectWriter => writers.get(projectId)!
    const stated = responses.map((response) => ({ ...response, writer: writerOf(response.projectId) }))
    const elsewhere = sameResponses.others(stated)
    if (openTurns.isEmpty && !mayBeTurn.includes(1)) {
      await this.deps.calls.storePrepared(writerOf, calls, { elsewhere })
      return
    }
    const turns = new Turns(openTurns)
    const { rows } = this.codec.encoded(calls)
    const added = rows.map((row, index) => turnCall(row, writerOf, mayBeTurn[index] === 1))
    for (const call of added) turns.add(call)
    const moved = turns.mark()
    const isMarked = added.some(({ turnId }) => turnId !== undefined)
    const message = isMarked ? this.withTurns(calls.message, rows, added) : calls.message
    await this.deps.calls.storePrepared(writerOf, { ...calls, message }, { moved, elsewhere })
    turns.confirm()
  }

  private withTurns(
    message: Uint8Array,
    rows: readonly BatchRow[],
    calls: readonly TurnCall[],
  ): Uint8Array<ArrayBuffer> {
    const turnIds = calls.map(({ turnId }, index) => turnId ?? rows[index]!.text(at.turn_id))
    return this.codec.withTexts(message, 'turn_id', turnIds)
  }
}

/** Undefined if the caller may not write to one of the projects. */
function writersOf(caller: Caller, { projects }: PreparedSpans): Writers | undefined {
  try {
    return new Map(projects.map(({ projectId }) => [projectId, caller.write(projectId)]))
  } catch (cause) {
    if (cause instanceof DomainError) return undefined
    throw cause
  }
}

const turnCall = (row: BatchRow, writerOf: (projectId: string) => ProjectWriter, mayBeTurn: boolean): TurnCall => ({
  writer: writerOf(row.batch.repeatedText(at.project_id, row.index)),
  id: row.text(at.id)!,
  traceId: row.text(at.trace_id)!,
  parentId: row.text(at.parent_id),
  threadId: row.text(at.thread_id),
  mayBeTurn,
})
