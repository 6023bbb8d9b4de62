import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { TraceRequest, TraceSkeleton } from '../../../../formats/schemas/traces.ts'
import type { Caller } from '../../../access/index.ts'
import { jsonPiecesResponse, requestContext } from '../../../requests/index.ts'
import type { TracesServices } from '../services.ts'

const readTraceRoute = {
  body: TraceRequest,
  response: { 200: TraceSkeleton },
  detail: {
    operationId: 'traces.read',
    readOnly: true,
    summary: 'Read the tree of a trace',
    description:
      'Returns the calls of a trace in columns, without inputs and outputs: what a tree or a waterfall shows. If ' +
      'the trace has more calls than `limit`, failed calls and the first levels are returned, and `is_complete` is ' +
      'false; request the others by `parent_id`. While a trace is running, pass `read_at` of the last response as ' +
      '`since` to get what has changed.',
    tags: ['Traces'],
  },
}

function readTrace(
  services: TracesServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof readTraceRoute.body>,
) {
  const reader = caller.read(body.project_id)
  return jsonPiecesResponse(signal, (left) => services.traceTrees.texts(reader, body, left))
}

/** Operations on whole traces. */
export const tracesApi = (services: TracesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/trace/read', ({ caller, request, body }) => readTrace(services, caller, request, body), readTraceRoute)
