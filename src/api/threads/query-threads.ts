import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../model/caller.ts'
import { ThreadsQuestion } from '../../model/threads.ts'
import type { Services } from '../../services/services.ts'
import { byteStream } from '../../wire/byte-stream.ts'
import { encodeTexts, jsonLines } from '../../wire/text-stream.ts'

const contentType = 'application/jsonl'

export const queryThreadsRoute = {
  body: ThreadsQuestion,
  detail: {
    operationId: 'threads.query',
    summary: 'Query threads as a stream',
    description: `One JSON object a line for each thread with a finished turn: thread_id, turn_count, start_time, last_updated, first_turn_id,
last_turn_id, p50_turn_duration_ms, p99_turn_duration_ms. Latest first unless \`sort_by\` says otherwise.`,
    tags: ['Threads'],
    responses: { 200: { description: 'Threads, one a line', content: { [contentType]: {} } } },
  },
}

export async function queryThreads(services: Services, caller: Caller, body: Static<typeof queryThreadsRoute.body>) {
  const abort = new AbortController()
  const lines = services.threads.jsonLines(caller.read(body.project_id), body, abort.signal)
  const stream = await byteStream(encodeTexts(lines, jsonLines), abort)
  return new Response(stream, { headers: { 'content-type': contentType } })
}
