import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { inNeutralNames } from '../../../../formats/dialect/names.ts'
import { CallsFilter } from '../../../../formats/schemas/calls.ts'
import { NullableInteger, NullableText, NullableTime, OpenObject } from '../../../../formats/schemas/members.ts'
import { parseExactly } from '../../../../formats/wire/exact-json.ts'
import { DomainError, quoted } from '../../../../lib/errors.ts'
import { isJsonObject } from '../../../../lib/json-value.ts'
import { operationLimits } from '../../../../lib/limits/operations.ts'
import { responseLimits } from '../../../../lib/limits/responses.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import { TimeText } from '../../../../lib/time.ts'
import type { CallsPlan } from '../../../../query/calls-plan.ts'
import type { Caller, ProjectReader } from '../../../access/index.ts'
import { callStatuses } from '../../live/live-call.ts'
import { planRows } from '../../plan.ts'
import type { CallsServices } from '../services.ts'

const Status = Type.String({ description: '`running`, `success`, `error` or `descendant_error`' })

const ErrorInside = Type.Union(
  [Type.Object({ call_id: Type.String(), error: Type.String(), depth: Type.Integer() }), Type.Null()],
  { description: 'The deepest error of a descendant, in one line' },
)

/** Data of the events of a live tail: of `start` and `end`, else the reason of the event. */
const LiveEventData: TSchema = Type.Union([
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

/** The statuses in a comma-separated list. @throws DomainError InvalidRequest for an unknown one */
function statusesIn(text: string | undefined): ReadonlySet<string> | undefined {
  if (!text) return undefined
  const requested = text.split(',').map((status) => status.trim())
  const unknown = requested.find((status) => !callStatuses.some((known) => known === status))
  if (unknown === undefined) return new Set(requested)
  throw new DomainError('InvalidRequest', `Unknown status ${quoted(unknown)}; use ${callStatuses.join(', ')}`)
}

/**
 * The conditions of a live tail, which are JSON texts in its query string.
 *
 * @throws DomainError InvalidRequest, InvalidField, NotImplemented; ValidationError
 */
function conditionsIn(
  reader: ProjectReader,
  texts: { readonly filter?: string; readonly query?: string },
): CallsPlan | undefined {
  if (!texts.filter && !texts.query) return undefined
  const filter = texts.filter ? filterIn(texts.filter) : undefined
  return planRows(reader, { filter, query: texts.query ? jsonIn('query', texts.query) : undefined })
}

/** The filter in a query string, which is renamed here because the codec sees only a text. */
function filterIn(text: string): CallsFilter {
  const sent = jsonIn('filter', text)
  const filter = isJsonObject(sent) ? inNeutralNames(sent) : sent
  if (Value.Check(CallsFilter, filter)) return filter
  const [first] = Value.Errors(CallsFilter, filter)
  throw new DomainError('InvalidRequest', `Invalid filter${first?.path.replaceAll('/', '.') ?? ''}: ${first?.message}`)
}

/** Numbers that JavaScript would round are kept. */
function jsonIn(parameter: string, text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    throw new DomainError('InvalidRequest', `Cannot read ${parameter}: ${quoted(text)} is not JSON`)
  }
}

export const liveCallsRoute = {
  query: OpenObject({
    project_id: ProjectId,
    op_name: Type.Optional(
      Type.String({
        maxLength: operationLimits.opNameCharsMax,
        description: 'Op name as stored, the name inside an op ref, or a prefix ending in `:*` to match all versions',
      }),
    ),
    trace_roots_only: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: 'Only root calls (calls without a parent)',
      }),
    ),
    trace_id: Type.Optional(
      Type.String({ maxLength: operationLimits.idCharsMax, description: 'Only calls of this trace' }),
    ),
    // A character outside the BMP counts as two for `maxLength`.
    thread_id: Type.Optional(
      Type.String({ maxLength: 2 * operationLimits.threadNameCharsMax, description: 'Only calls of this thread' }),
    ),
    statuses: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          `Only events with these statuses, separated by commas: ${callStatuses.join(', ')}. A call that starts is ` +
          'running',
      }),
    ),
    filter: Type.Optional(
      Type.String({
        maxLength: responseLimits.liveConditionCharsMax,
        description: 'Only calls that match this `filter` of `/calls/stream_query`, as JSON text',
      }),
    ),
    query: Type.Optional(
      Type.String({
        maxLength: responseLimits.liveConditionCharsMax,
        description:
          'Only calls that match this `query` of `/calls/stream_query`, as JSON text. It applies to the call as it ' +
          'is when the event is sent',
      }),
    ),
  }),
  detail: {
    operationId: 'calls.live',
    summary: 'Stream calls as they start and end',
    description:
      'Server-sent events. `start` and `end` events carry the small members of the call as JSON. Send ' +
      '`Last-Event-ID` to resume a stream, even after a server restart; events of the last few seconds may ' +
      'then be repeated. `gap` and `reset` report skipped events; `dropped` and `shutdown` give the reason ' +
      'why the stream ends.',
    tags: ['Calls'],
    responses: {
      200: {
        description: 'Server-sent events; the schema is that of their data',
        content: { 'text/event-stream': { schema: LiveEventData } },
      },
    },
  },
}

const answerHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx and compatible proxies buffer responses unless this header forbids it.
  'x-accel-buffering': 'no',
}

interface TailRequest {
  readonly lastEventId: string | undefined
  readonly nameOf: (member: string) => string
  readonly authenticateAgain: () => Promise<Caller>
}

export function liveCalls(
  services: CallsServices,
  caller: Caller,
  { project_id, op_name, trace_roots_only, trace_id, thread_id, ...conditions }: Static<typeof liveCallsRoute.query>,
  { authenticateAgain, ...options }: TailRequest,
): Response {
  const reader = caller.read(project_id)
  const stream = services.live.open(
    reader,
    {
      opName: op_name || undefined,
      rootsOnly: trace_roots_only === 'true',
      traceId: trace_id || undefined,
      threadId: thread_id || undefined,
      statuses: statusesIn(conditions.statuses),
      plan: conditionsIn(reader, conditions),
    },
    { ...options, checkAccess: async () => (await authenticateAgain()).read(project_id) },
  )
  return new Response(stream, { headers: answerHeaders })
}
