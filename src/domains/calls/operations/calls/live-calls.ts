import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import { limits } from '../../../../lib/limits.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/caller.ts'
import { callStatuses } from '../../live/live-call.ts'
import { LiveEventData } from '../../model/live-call.ts'
import type { CallsServices } from '../services.ts'
import { conditionsIn, statusesIn } from './live-conditions.ts'

export const liveCallsRoute = {
  query: OpenObject({
    project_id: ProjectId,
    op_name: Type.Optional(
      Type.String({
        maxLength: limits.opNameCharsMax,
        description: 'Op name as stored, the name inside an op ref, or a prefix ending in `:*` to match all versions',
      }),
    ),
    trace_roots_only: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        description: 'Only root calls (calls without a parent)',
      }),
    ),
    trace_id: Type.Optional(Type.String({ maxLength: limits.idCharsMax, description: 'Only calls of this trace' })),
    // A character outside the BMP counts as two for `maxLength`.
    thread_id: Type.Optional(
      Type.String({ maxLength: 2 * limits.threadNameCharsMax, description: 'Only calls of this thread' }),
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
        maxLength: limits.liveConditionCharsMax,
        description: 'Only calls that match this `filter` of `/calls/stream_query`, as JSON text',
      }),
    ),
    query: Type.Optional(
      Type.String({
        maxLength: limits.liveConditionCharsMax,
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
        content: { 'text/event-stream': { schema: LiveEventData as TSchema } },
      },
    },
  },
}

const answerHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx and compatible proxies buffer responses unless told not to.
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
