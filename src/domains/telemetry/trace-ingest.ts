import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import type { SpanGroup } from '../../formats/wire/otlp/span.ts'
import { releaseBytes } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { itemAt, valueAt } from '../../lib/present.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'
import {
  type CallIntake,
  type CallWriter,
  countSpans,
  decodeSpans,
  type EncodedSpans,
  type OpVersion,
  type PreparedSpans,
  type SpanBatch,
  SpanMapper,
} from '../calls/index.ts'
import type { AgentSessions, AgentSpan } from './agent-sessions.ts'
import type { EvaluationResults, SpanEvaluation } from './span-contents.ts'
import type { SpanOps } from './span-ops.ts'
import { nameOfEncoded, nameOfSpan, Rejections, SpanProjects } from './span-projects.ts'
import {
  type ResponseCall,
  SameResponses,
  type SpanRow,
  type StorableSpans,
  storableEncoded,
  storableRows,
} from './span-stores.ts'
import { OpenTurns, Turns } from './turns.ts'

export interface TraceIngestDependencies {
  readonly calls: CallWriter
  readonly ops: SpanOps
  readonly redact: boolean
  readonly sessions: AgentSessions
  readonly evaluations: EvaluationResults
  readonly intake: CallIntake
}

/** An export of spans. */
export interface TraceExport extends EncodedSpans {
  /** Project of spans whose resource names none. */
  readonly project: string | undefined
}

type Writers = ReadonlyMap<string, ProjectWriter>

/**
 * Ingests OpenTelemetry spans as calls. Threads make the calls of large exports and encode them.
 * For the others, and for those of which threads find that they need the store or may be refused,
 * the same code runs here. See docs/decisions/221-one-way-from-spans-to-calls.md.
 */
export class TraceIngest {
  private readonly deps: TraceIngestDependencies
  private readonly openTurns = new OpenTurns()
  private readonly sameResponses = new SameResponses()
  /** Spans since startup, except those of requests that were rejected as a whole. */
  readonly spans = { taken: 0, rejected: 0 }

  constructor(deps: TraceIngestDependencies) {
    this.deps = deps
  }

  /**
   * Stores an export in one durable write. A span that cannot be stored is rejected alone.
   *
   * @returns the rejected spans, or undefined if there are none
   * @throws DomainError Forbidden or InvalidRequest if no project in the export is writable;
   *   RequestTooLarge, Overloaded, StoreUnavailable, InsufficientStorage
   */
  async store(caller: Caller, sent: TraceExport): Promise<RejectedItems | undefined> {
    const encoded = await this.encodedSpans(caller, sent)
    if (encoded === undefined) return await this.storeInPlace(caller, sent)
    await this.finish(encoded.spans)
    this.spans.taken += encoded.count
    return undefined
  }

  /**
   * The calls of an export as a thread has made them; undefined if there is no thread, or one that
   * could not make all of them.
   */
  private async encodedSpans(
    caller: Caller,
    sent: TraceExport,
  ): Promise<{ readonly spans: StorableSpans; readonly count: number } | undefined> {
    if (!this.deps.intake.accepts(sent.bytes.byteLength)) return undefined
    const first = await this.prepare(caller, sent, [])
    const writers = first && writersOf(caller, first)
    if (first === undefined || writers === undefined) return undefined
    // Before the calls that refer to them.
    const ops = await this.versionsOf(first, writers)
    const isKnown = first.ops.every(({ version }, index) => version === itemAt(ops, index).version)
    const prepared = isKnown ? first : await this.prepare(caller, sent, ops)
    if (prepared === undefined) return undefined
    releaseBytes(sent.bytes)
    return { spans: storableEncoded(this.deps.calls, prepared, writers), count: prepared.mayBeTurn.length }
  }

  private prepare(caller: Caller, sent: TraceExport, ops: readonly OpVersion[]): Promise<PreparedSpans | undefined> {
    const { encoding, project } = sent
    const { userId, defaultEntity: entity } = caller
    const opVersion = this.deps.ops.placeholderDigest
    return this.deps.intake.prepareSpans(sent.bytes, { encoding, project, entity, userId, opVersion, ops })
  }

  private async versionsOf({ ops }: PreparedSpans, writers: Writers): Promise<OpVersion[]> {
    const names = ops.map(({ projectId, name }) => ({ writer: valueAt(writers, projectId), name }))
    const versions = await this.deps.ops.versions(names)
    return ops.map(({ projectId, name }, index) => ({ projectId, name, version: versions[index] ?? null }))
  }

  private async storeInPlace(caller: Caller, sent: TraceExport): Promise<RejectedItems | undefined> {
    const { calls, ops, redact, sessions, evaluations } = this.deps
    const groups = decodeSpans(sent)
    caller.requireRole('write')
    const made = new SpansInPlace(calls.spans(), new SpanMapper(redact))
    new SpanProjects(caller, sent.project).distribute(groups, made)
    await ops.name(made.rows)
    const { batch, rows, responses, agentSpans } = made
    const finish = (store: () => Promise<void>) =>
      agentSpans.length === 0 ? store() : sessions.storeSpans(agentSpans, store)
    await this.finish(storableRows({ batch, rows, responses, finish }))
    if (made.evaluations.length > 0) await evaluations.add(made.evaluations)
    const rejected = made.rejections.answer
    this.spans.rejected += rejected?.count ?? 0
    this.spans.taken += countSpans(groups) - (rejected?.count ?? 0)
    return rejected
  }

  /** Determines the turns of conversations and which calls count, and stores the calls. */
  private async finish(spans: StorableSpans): Promise<void> {
    const elsewhere = this.sameResponses.others(spans.responses)
    const turns = new Turns(this.openTurns)
    if (spans.mayHaveTurn || !this.openTurns.isEmpty) for (const call of spans.turnCalls()) turns.add(call)
    // Just before they are stored: exports that overtake this one may change the turns.
    const moved = turns.mark()
    await spans.store({ moved, elsewhere })
    turns.confirm()
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

/** The calls of an export that are made on the main thread. */
class SpansInPlace {
  readonly batch: SpanBatch
  readonly rows: SpanRow[] = []
  readonly rejections = new Rejections()
  readonly evaluations: SpanEvaluation[] = []
  readonly responses: ResponseCall[] = []
  /** Those of coding agents. */
  readonly agentSpans: AgentSpan[] = []
  private readonly mapper: SpanMapper

  constructor(batch: SpanBatch, mapper: SpanMapper) {
    this.batch = batch
    this.mapper = mapper
  }

  /** Makes the calls of a group. */
  take(group: SpanGroup, writer: ProjectWriter): void {
    const made = this.mapper.map(group, writer.projectId, (call, store) => this.batch.add(writer, call, store))
    for (const call of made.calls) this.rows.push({ ...call, writer })
    if (made.isOfAgent) for (const { row } of made.calls) this.agentSpans.push({ row, writer })
    for (const response of made.responses) this.responses.push({ ...response, writer })
    for (const evaluation of made.evaluations) this.evaluations.push({ ...evaluation, writer })
    for (const { span, reason } of made.rejected) this.rejections.add(reason, nameOfSpan(span))
  }

  /** Rejects all spans of a group for the same reason. */
  reject({ spans }: SpanGroup, reason: string): void {
    this.rejections.addAll(spans, reason, nameOfEncoded)
  }
}
