import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { TraceRequest, TraceSkeleton } from '../../../formats/schemas/traces.ts'
import type { Caller } from '../../access/index.ts'
import {
  describeJsonLines,
  jsonLinesResponse,
  jsonPiecesResponse,
  requestContext,
  type Streams,
} from '../../requests/index.ts'
import { Thread, ThreadsRequest } from '../model/threads.ts'
import type { Threads } from '../threads/threads.ts'
import type { Traces } from '../traces.ts'

/** The services that these operations are given. */
export interface TracesServices {
  readonly streams: Streams
  readonly threads: Threads
  readonly traceTrees: Traces
}

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

const queryThreadsRoute = {
  body: ThreadsRequest,
  detail: {
    operationId: 'threads.query',
    readOnly: true,
    summary: 'Query threads (stream)',
    description:
      'JSON Lines: one object per thread that has a finished turn. Most recent first unless `sort_by` is given. ' +
      '`query` selects threads in which at least one call matches. `include_details` adds the first and the last ' +
      'message, tokens, costs, errors and feedback, and restricts a response to 1,000 threads.',
    tags: ['Threads'],
    responses: describeJsonLines('Threads, one per line', Thread),
  },
}

const queryThreads = (
  services: TracesServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryThreadsRoute.body>,
) => {
  const reader = caller.read(body.project_id)
  return jsonLinesResponse(services.streams, (left) => services.threads.jsonLines(reader, body, left), signal)
}

/** Thread operations. */
export const threadsApi = (services: TracesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/threads/stream_query',
      ({ caller, request, body }) => queryThreads(services, caller, request, body),
      queryThreadsRoute,
    )
