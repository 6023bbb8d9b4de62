import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ProjectId } from '../../kernel/project-id.ts'
import { limits } from '../../limits.ts'
import { OpenObject } from '../../model/nullable.ts'
import type { Services } from '../../services.ts'

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
    responses: { 200: { description: 'A stream of server-sent events', content: { 'text/event-stream': {} } } },
  },
}

const answerHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx and compatible proxies buffer responses unless told not to.
  'x-accel-buffering': 'no',
}

export function liveCalls(
  services: Services,
  caller: Caller,
  headers: Headers,
  { project_id, op_name, trace_roots_only, trace_id, thread_id }: Static<typeof liveCallsRoute.query>,
): Response {
  const stream = services.live.open(
    caller.read(project_id),
    {
      opName: op_name || undefined,
      rootsOnly: trace_roots_only === 'true',
      traceId: trace_id || undefined,
      threadId: thread_id || undefined,
    },
    headers.get('last-event-id') || undefined,
    async () => (await services.access.authenticate(headers)).read(project_id),
  )
  return new Response(stream, { headers: answerHeaders })
}
