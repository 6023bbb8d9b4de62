import { isJsonObject } from '../../lib/json-value.ts'
import type { ImportRecord } from '../record.ts'
import type { Origin } from '../source.ts'
import { stableUuid } from '../stable-id.ts'
import { observationSpan, spanId, traceSpan } from './langfuse-span.ts'
import { jsonOf, membersOf, normalRow, type Row, textOf } from './row.ts'

/** Whatever an export or a response of the API contains: a trace, an observation, or a score. */
export function* langfuseRecords(value: Record<string, unknown>, origin: Origin): Generator<ImportRecord> {
  const row = normalRow(value)
  if (Array.isArray(row['observations'])) return yield* wholeTrace(row, row['observations'], origin)
  if (row['dataType'] !== undefined && row['name'] !== undefined && row['startTime'] === undefined) {
    return yield* scoreRecord(row, undefined)
  }
  if (row['id'] !== undefined && row['traceId'] !== undefined && row['startTime'] !== undefined) {
    yield observationSpan(row, undefined, origin)
  } else if (row['id'] !== undefined && row['timestamp'] !== undefined) yield traceSpan(row, origin)
  else yield { kind: 'loss', what: 'rows that are no traces, observations or scores' }
}

/** A trace with its observations and scores. Some downloads put the trace beside them. */
function* wholeTrace(row: Row, given: readonly unknown[], origin: Origin): Generator<ImportRecord> {
  const trace = isJsonObject(row['trace']) ? normalRow(row['trace']) : row
  const observations = given.filter(isJsonObject).map(normalRow)
  for (const observation of observations) yield observationSpan(observation, trace, origin)
  if (observations.length === 0) yield traceSpan(trace, origin)
  const root = observations.find((one) => textOf(one['parentObservationId']) === undefined) ?? trace
  const scores = Array.isArray(trace['scores']) ? trace['scores'].filter(isJsonObject) : []
  for (const score of scores) yield* scoreRecord(normalRow(score), String(root['id']))
}

/** A score as feedback on its observation, or on the root of its trace. */
function* scoreRecord(score: Row, root: string | undefined): Generator<ImportRecord> {
  const about = textOf(score['observationId']) ?? root ?? textOf(score['traceId'])
  if (about === undefined) {
    yield { kind: 'loss', what: 'scores of sessions and of dataset runs' }
    return
  }
  const { name, value, stringValue, dataType, comment, source, timestamp } = score
  const metadata = membersOf(score['metadata'])
  yield {
    kind: 'feedback',
    about: { callId: spanId(about) },
    feedback: {
      id: stableUuid('langfuse', String(score['id'] ?? JSON.stringify(score))),
      feedback_type: `langfuse.${String(name)}`,
      creator: textOf(score['authorUserId']) ?? textOf(source)?.toLowerCase() ?? null,
      payload: {
        name,
        value: jsonOf(value),
        ...(textOf(stringValue) && { string_value: stringValue }),
        ...(textOf(dataType) && { data_type: dataType }),
        ...(textOf(comment) && { comment }),
        ...(Object.keys(metadata).length > 0 && { metadata }),
        scored_at: timestamp ?? null,
      },
    },
  }
}
