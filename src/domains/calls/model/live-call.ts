import { Type } from '@sinclair/typebox'
import { NullableInteger, NullableText, NullableTime } from '../../../formats/schemas/nullable.ts'
import { TimeText } from '../../../lib/time.ts'

const Status = Type.String({ description: '`running`, `success`, `error` or `descendant_error`' })

const ErrorInside = Type.Union(
  [Type.Object({ call_id: Type.String(), error: Type.String(), depth: Type.Integer() }), Type.Null()],
  { description: 'The deepest error of a descendant, in one line' },
)

/** Data of the events of a live tail: of `start` and `end`, else the reason of the event. */
export const LiveEventData = Type.Union([
  Type.Object({
    id: Type.String(),
    project_id: Type.String(),
    trace_id: Type.String(),
    parent_id: NullableText,
    thread_id: NullableText,
    turn_id: NullableText,
    op_name: Type.String(),
    display_name: NullableText,
    ext_user_id: NullableText,
    started_at: TimeText,
    ended_at: NullableTime,
    status: Status,
    latency_ms: NullableInteger,
    exception: NullableText,
    error_inside: ErrorInside,
  }),
  Type.Object({ reason: Type.String() }),
])
