import { callsTable } from '../../engine/tables/calls-table.ts'
import { isScopeOfAgent } from '../../formats/mapping/agents/agents.ts'
import { evaluationOf, evaluationResult } from '../../formats/mapping/logs/span-content.ts'
import { groupDump, type Redact, storeSpan } from '../../formats/mapping/spans/span-dump.ts'
import { spanToCall } from '../../formats/mapping/spans/span-to-call.ts'
import { decodeJson } from '../../formats/wire/otlp/decode-json.ts'
import { decodeProtobuf } from '../../formats/wire/otlp/decode-protobuf.ts'
import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import { type Span, type SpanGroup, SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { DomainError, tooMany } from '../../lib/errors.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import { type Row, rowBytes } from '../../lib/table.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'
import { type CallIntake, type CallWriter, type SpanBatch, statedResponse, walkPayload } from '../calls/index.ts'
import type { AgentSessions, AgentSpan } from './agent-sessions.ts'
import type { EvaluationResults, SpanEvaluation } from './evaluation-results.ts'
import { PreparedTraces, type TraceExport } from './prepared-traces.ts'
import { type ResponseCall, SameResponses } from './same-responses.ts'
import type { SpanOps } from './span-ops.ts'
import { nameOfEncoded, nameOfSpan, Rejections, SpanProjects } from './span-projects.ts'
import { OpenTurns, type TurnCall, Turns } from './turns.ts'

const { at } = callsTable

export interface TraceIngestDependencies {
  readonly calls: CallWriter
  readonly ops: SpanOps
  readonly redact: boolean
  readonly sessions: AgentSessions
  readonly evaluations: EvaluationResults
  readonly intake: CallIntake
}

/** Ingests OpenTelemetry spans as calls. */
export class TraceIngest {
  private readonly calls: CallWriter
  private readonly redact: Redact
  private readonly ops: SpanOps
  private readonly sessions: AgentSessions
  private readonly evaluations: EvaluationResults
  private readonly openTurns = new OpenTurns()
  private readonly sameResponses = new SameResponses()
  private readonly prepared: PreparedTraces
  /** Spans since startup, except those of requests that were rejected as a whole. */
  readonly spans = { taken: 0, rejected: 0 }

  constructor({ calls, ops, redact, sessions, evaluations, intake }: TraceIngestDependencies) {
    this.prepared = new PreparedTraces({
      ...{ intake, calls, ops },
      ...{ openTurns: this.openTurns, sameResponses: this.sameResponses },
    })
    this.evaluations = evaluations
    this.sessions = sessions
    this.calls = calls
    this.ops = ops
    this.redact = redact ? (value) => walkPayload(value, { redact, refs: undefined, contents: undefined }) : () => {}
  }

  /**
   * Stores an export in one durable write. A span that cannot be stored is rejected alone.
   *
   * @returns the rejected spans, or undefined if there are none
   * @throws DomainError Forbidden or InvalidRequest if no project in the export is writable;
   *   RequestTooLarge
   */
  async store(caller: Caller, sent: TraceExport): Promise<RejectedItems | undefined> {
    const spans = await this.prepared.store(caller, sent)
    this.spans.taken += spans
    return spans > 0 ? undefined : await this.storeHere(caller, sent)
  }

  private async storeHere(
    caller: Caller,
    { bytes, encoding, project }: TraceExport,
  ): Promise<RejectedItems | undefined> {
    const groups = encoding === 'json' ? decodeJson(bytes) : decodeProtobuf(bytes)
    caller.requireRole('write')
    checkCount(groups)
    const intake = new Intake(this.calls, this.redact, this.openTurns)
    new SpanProjects(caller, project).distribute(groups, intake)
    await intake.store(this.ops, this.sessions, this.sameResponses)
    if (intake.evaluations.length > 0) await this.evaluations.add(intake.evaluations)
    const rejected = intake.rejections.answer
    this.spans.rejected += rejected?.count ?? 0
    this.spans.taken += groups.reduce((sum, { spans }) => sum + spans.length, 0) - (rejected?.count ?? 0)
    return rejected
  }
}

/** Calls made from one export. */
class Intake {
  readonly rejections = new Rejections()
  private readonly batch: SpanBatch
  private readonly redact: Redact
  private readonly turns: Turns
  private readonly rows: { readonly row: Row; readonly writer: ProjectWriter; readonly turn: TurnCall }[] = []
  readonly evaluations: SpanEvaluation[] = []
  private readonly responses: ResponseCall[] = []
  /** Those of coding agents. */
  private readonly agentSpans: AgentSpan[] = []
  private bytes = 0

  constructor(calls: CallWriter, redact: Redact, openTurns: OpenTurns) {
    this.batch = calls.spans()
    this.redact = redact
    this.turns = new Turns(openTurns)
  }

  take(group: SpanGroup, writer: ProjectWriter): void {
    const dump = groupDump(group, this.redact)
    const isOfAgent = isScopeOfAgent(group.scope.name)
    for (const decode of group.spans) {
      let span: Span | undefined
      try {
        span = decode()
        const row = this.add(span, writer, dump)
        if (isOfAgent) this.agentSpans.push({ row, writer })
      } catch (error) {
        if (!isReason(error)) throw error
        this.rejections.add(
          error.message,
          nameOfSpan(span ?? (error instanceof SpanUnreadable ? error.span : undefined)),
        )
      }
    }
  }

  /** Rejects all spans of a group for the same reason. */
  reject({ spans }: SpanGroup, reason: string): void {
    this.rejections.addAll(spans, reason, nameOfEncoded)
  }

  /** Ops first, then the calls that refer to them. */
  async store(ops: SpanOps, sessions: AgentSessions, sameResponses: SameResponses): Promise<void> {
    await ops.name(this.rows)
    // Just before they are stored: exports that overtake this one may change the turns.
    const moved = this.turns.mark()
    for (const { row, turn } of this.rows) if (turn.turnId !== undefined) row[at.turn_id] = turn.turnId
    for (const { writer, id, turnId } of moved) this.batch.setTurn(writer, id, turnId)
    for (const { writer, id } of sameResponses.others(this.responses)) this.batch.setElsewhere(writer, id)
    if (this.agentSpans.length === 0) await this.batch.store()
    else await sessions.storeSpans(this.agentSpans, () => this.batch.store())
    this.turns.confirm()
  }

  private add(span: Span, writer: ProjectWriter, group: string): Row {
    const { call, values, mayBeTurn } = spanToCall(span, writer.projectId, this.redact)
    const row = this.batch.add(writer, call, (held) => storeSpan(span, values, group, held, this.redact))
    this.bytes += rowBytes(row)
    if (this.bytes > telemetryLimits.exportRowBytesMax) {
      throw new DomainError('RequestTooLarge', 'The spans with their resources are too large; send fewer per request')
    }
    const turn: TurnCall = {
      writer,
      id: row[at.id] as string,
      traceId: row[at.trace_id] as string,
      parentId: row[at.parent_id] as string | null,
      threadId: row[at.thread_id] as string | null,
      mayBeTurn,
    }
    this.rows.push({ row, writer, turn })
    const response = statedResponse(call, row)
    if (response !== undefined) this.responses.push({ ...response, writer })
    for (const [index, event] of values.events.entries()) {
      const evaluation = event.name === evaluationResult ? evaluationOf(event.attributes) : undefined
      if (evaluation !== undefined) {
        this.evaluations.push({ writer, spanId: span.spanId, key: String(index), evaluation })
      }
    }
    this.turns.add(turn)
    return row
  }
}

const isReason = (error: unknown): error is Error =>
  error instanceof SpanUnreadable ||
  (error instanceof DomainError && (error.type === 'InvalidRequest' || error.type === 'InvalidField'))

function checkCount(groups: readonly SpanGroup[]): void {
  const count = groups.reduce((sum, { spans }) => sum + spans.length, 0)
  if (count > telemetryLimits.spansPerExportMax) {
    throw new DomainError('RequestTooLarge', tooMany('spans', count, telemetryLimits.spansPerExportMax, ' per request'))
  }
}
