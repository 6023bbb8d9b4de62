import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { ThreadsRequest } from '../../model/threads.ts'
import type { Services } from '../../services.ts'
import { describeJsonLines, jsonLinesResponse } from '../json-lines.ts'

export const queryThreadsRoute = {
  body: ThreadsRequest,
  detail: {
    operationId: 'threads.query',
    readOnly: true,
    summary: 'Query threads (stream)',
    description:
      'JSON Lines: one object per thread that has a finished turn, with thread_id, turn_count, start_time, ' +
      'last_updated, first_turn_id, last_turn_id, p50_turn_duration_ms and p99_turn_duration_ms. Most recent ' +
      'first unless `sort_by` is given.',
    tags: ['Threads'],
    responses: describeJsonLines('Threads, one per line'),
  },
}

export const queryThreads = (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryThreadsRoute.body>,
) => {
  const reader = caller.read(body.project_id)
  return jsonLinesResponse(services.streams, (left) => services.threads.jsonLines(reader, body, left), signal)
}
