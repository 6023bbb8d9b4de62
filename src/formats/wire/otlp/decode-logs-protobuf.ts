import { DomainError } from '../../../lib/errors.ts'
import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import type { LogGroup, LogRecord } from './decode-logs.ts'
import { messages } from './messages.ts'
import {
  BoundedReader,
  boundedReader,
  decodeGroup,
  hexOf,
  jsonValue,
  readable,
  resourceOf,
  timeOf,
} from './protobuf-parts.ts'
import { SpanUnreadable, unreadableGroup } from './span.ts'

/**
 * Decodes the groups of an ExportLogsServiceRequest in protobuf. Only the frame is decoded at once;
 * records are decoded lazily, one by one.
 *
 * @throws DomainError InvalidRequest if the bytes are no OTLP export
 */
export function decodeLogsProtobuf(bytes: Uint8Array): LogGroup[] {
  try {
    const { resourceLogs } = messages.LogsRequest.decode(new BoundedReader(bytes, telemetryLimits.otlpFrameFieldsMax))
    return resourceLogs.flatMap((ofResource) =>
      decodeGroup(ofResource, ofResource.scopeLogs).map(({ group, of: { logRecords } }): LogGroup => {
        if (group instanceof SpanUnreadable) {
          const { resource, scope, items } = unreadableGroup(group, logRecords.length)
          return { resource, scope, records: items }
        }
        return { ...group, records: logRecords.map((record) => () => decodeRecord(record)) }
      }),
    )
  } catch (cause) {
    throw new DomainError('InvalidRequest', 'Cannot read the body: it is not an export of logs in protobuf', { cause })
  }
}

function decodeRecord(bytes: Uint8Array): LogRecord {
  return readable(() => {
    const message = messages.LogRecord.decode(boundedReader(bytes))
    return {
      time: timeOf(message.timeUnixNano),
      observedTime: timeOf(message.observedTimeUnixNano),
      severityNumber: message.severityNumber,
      severityText: message.severityText,
      eventName: message.eventName,
      body: jsonValue(message.body),
      ...resourceOf(message),
      flags: message.flags,
      traceId: hexOf(message.traceId),
      spanId: hexOf(message.spanId),
    }
  }, 'it is damaged')
}
