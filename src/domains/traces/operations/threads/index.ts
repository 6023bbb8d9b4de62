import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../access/index.ts'
import { describeJsonLines, jsonLinesResponse, requestContext } from '../../../requests/index.ts'
import { Thread, ThreadsRequest } from '../../model/threads.ts'
import type { TracesServices } from '../services.ts'

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
