import { logsTable } from '../../../engine/tables/logs-table.ts'
import type { LogEvent } from '../../../formats/mapping/logs/log-event.ts'
import { storedJson } from '../../../lib/stored-json.ts'
import type { Row } from '../../../lib/table.ts'
import { sha256Base64Url } from '../../../runtime/platform/crypto.ts'

export interface LogRowOptions {
  readonly projectId: string
  readonly userId: string
  readonly nowMicros: number
}

/**
 * Makes rows of records. Records have no ids, so theirs are digests: a record that is sent again
 * gets the same row. Equal records of one request are told apart by their number.
 */
export class LogRows {
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
