import type { Store } from '../../engine/store.ts'
import { logsTable } from '../../engine/tables/logs-table.ts'
import { agentOf } from '../../formats/mapping/agents/agents.ts'
import { callsOf } from '../../formats/mapping/agents/turn-calls.ts'
import { eventGroup, type LogEvent, logEvent } from '../../formats/mapping/logs/log-event.ts'
import type { Redact } from '../../formats/mapping/spans/span-dump.ts'
import type { LogGroup } from '../../formats/wire/otlp/decode-logs.ts'
import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import { SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { storedJson } from '../../lib/json-value.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'
import type { Row } from '../../lib/table.ts'
import { cellAt } from '../../lib/typed-rows.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { sha256Base64Url } from '../../runtime/platform/crypto.ts'
import type { Caller, ProjectWriter } from '../access/index.ts'
import { checkItems, RowsBound, redactor } from '../calls/index.ts'
import type { AgentEntry, AgentTurns } from './agent-turns.ts'
import { isAboutSpan, type SpanContents, type SpanRecord } from './span-contents.ts'
import { Rejections, SpanProjects } from './span-projects.ts'

interface LogRowOptions {
  readonly projectId: string
  readonly userId: string
  readonly nowMicros: number
}

/**
 * Makes rows of records. Records have no ids, so theirs are digests: a record that is sent again
 * gets the same row. Equal records of one request are distinguished by their number.
 */
class LogRows {
  private readonly seen = new Map<string, number>()

  /** @param calls turn and call of the record, as far as they are known */
  add(
    event: LogEvent,
    { turnId, callId }: { readonly turnId: string | null; readonly callId: string | null },
    { projectId, userId, nowMicros }: LogRowOptions,
  ): Row {
    const { group } = event
    const body = event.body === null ? null : storedJson(event.body)
    const attributes = storedJson(event.attributes)
    return logsTable.row({
      project_id: projectId,
      id: this.idOf(event, projectId, body, attributes),
      time: event.time ?? nowMicros,
      observed_at: event.observedAt,
      trace_id: event.traceId,
      span_id: event.spanId,
      thread_id: event.threadId,
      turn_id: turnId,
      call_id: callId,
      event_name: event.name,
      severity_number: event.severityNumber,
      severity_text: event.severityText,
      service_name: group.serviceName,
      body,
      attributes,
      resource: group.resourceText,
      scope: group.scopeText,
      ext_user_id: userId,
      written_at: nowMicros,
    })
  }

  private idOf(event: LogEvent, projectId: string, body: string | null, attributes: string): string {
    const { time, observedAt, traceId, spanId, name, severityNumber, severityText, group } = event
    const place = [projectId, time, observedAt, traceId, spanId, name, severityNumber, severityText]
    const id = sha256Base64Url(
      [JSON.stringify(place), body ?? '', attributes, group.resourceText, group.scopeText].join('\n'),
    )
    const times = this.seen.get(id) ?? 0
    this.seen.set(id, times + 1)
    return times === 0 ? id : `${id}-${times + 1}`
  }
}

export interface LogIngestDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly redact: boolean
  readonly agents: AgentTurns
  readonly spans: SpanContents
}

/** Ingests OpenTelemetry log records. See docs/decisions/090-logs.md. */
export class LogIngest {
  private readonly store: Store
  private readonly clock: Clock
  private readonly redact: Redact
  private readonly agents: AgentTurns
  private readonly spans: SpanContents
  /** Records since startup, except those of requests that were rejected as a whole. */
  readonly records = { taken: 0, rejected: 0 }

  constructor({ store, clock, redact, agents, spans }: LogIngestDependencies) {
    this.spans = spans
    this.agents = agents
    this.store = store
    this.clock = clock
    this.redact = redactor(redact)
  }

  /**
   * Stores an export: its records in one durable write, then the calls that they describe. A record
   * that cannot be stored is rejected alone.
   *
   * @param project of records whose resource names none
   * @returns the rejected records, or undefined if there are none
   * @throws DomainError Forbidden or InvalidRequest if no project in the export is writable;
   *   RequestTooLarge
   */
  async ingest(
    caller: Caller,
    groups: readonly LogGroup[],
    project: string | undefined,
  ): Promise<RejectedItems | undefined> {
    caller.requireRole('write')
    const count = groups.reduce((sum, { records }) => sum + records.length, 0)
    checkItems('log records', count, telemetryLimits.logRecordsPerExportMax)
    const intake = new Intake(this.redact, this.clock.nowMs() * 1000)
    new SpanProjects(caller, project).distribute(groups, intake)
    if (intake.rows.length > 0) await this.store.write(logsTable.name, intake.rows)
    await this.agents.add(intake.ofAgents)
    await this.spans.add(intake.ofSpans)
    const rejected = intake.rejections.answer
    this.records.rejected += rejected?.count ?? 0
    this.records.taken += intake.rows.length
    return rejected
  }
}

const unnamed = 'Log record'

/** Rows made from one export. */
class Intake {
  readonly rejections = new Rejections()
  readonly rows: Row[] = []
  readonly ofAgents: AgentEntry[] = []
  readonly ofSpans: SpanRecord[] = []
  private readonly redact: Redact
  private readonly nowMicros: number
  private readonly logRows = new LogRows()
  private readonly bound = new RowsBound('logs')

  constructor(redact: Redact, nowMicros: number) {
    this.redact = redact
    this.nowMicros = nowMicros
  }

  take(group: LogGroup, writer: ProjectWriter): void {
    const shared = eventGroup(group, this.redact)
    for (const decode of group.records) {
      try {
        const event = logEvent(decode(), shared, this.redact)
        this.add(event, writer)
      } catch (error) {
        if (!(error instanceof SpanUnreadable)) throw error
        this.rejections.add(error.message, unnamed)
      }
    }
  }

  /** Rejects all records of a group for the same reason. */
  reject({ records }: LogGroup, reason: string): void {
    this.rejections.addAll(records, reason, () => unnamed)
  }

  private add(event: LogEvent, writer: ProjectWriter): void {
    const { nowMicros } = this
    const agent = agentOf(event)
    const fact = agent?.factOf(event, nowMicros)
    const calls = agent === undefined || fact === undefined ? noCalls(event) : callsOf(agent, fact)
    const row = this.logRows.add(event, calls, { projectId: writer.projectId, userId: writer.userId, nowMicros })
    this.bound.add(row)
    this.rows.push(row)
    const rowId = cellAt(row, logsTable.at.id)
    const { spanId } = event
    if (agent !== undefined && fact !== undefined) this.ofAgents.push({ writer, agent, fact, rowId })
    else if (agent === undefined && spanId !== null && isAboutSpan(event)) {
      this.ofSpans.push({ writer, spanId, event, rowId })
    }
  }
}

const noCalls = ({ spanId }: LogEvent) => ({ turnId: null, callId: spanId })
