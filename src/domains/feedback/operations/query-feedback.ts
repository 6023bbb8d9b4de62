import { type Static, Type } from '@sinclair/typebox'
import { FreeObject } from '../../../formats/schemas/nullable.ts'
import { RecordsRequest } from '../../../formats/schemas/records-request.ts'
import type { Caller } from '../../access/caller.ts'
import { jsonListResponse } from '../../requests/json-lines.ts'
import type { FeedbackServices } from './services.ts'

export const queryFeedbackRoute = {
  body: RecordsRequest,
  response: {
    200: Type.Object({
      result: Type.Array(FreeObject),
      total_count: Type.Integer({ description: 'Number of matches, regardless of `limit` and `offset`' }),
    }),
  },
  detail: {
    operationId: 'feedback.query',
    readOnly: true,
    summary: 'Query feedback',
    description:
      '`fields` selects columns or paths such as `payload.note`, or `count(*)`; all columns by default. Oldest first.',
    tags: ['Feedback'],
  },
}

/** Returns JSON text as stored: reserializing payloads would change numbers such as `1.0`. */
export async function queryFeedback(
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryFeedbackRoute.body>,
) {
  const reader = caller.read(body.project_id)
  const total_count = await services.feedback.reader.count(reader, body, signal)
  return await jsonListResponse(
    services.streams,
    'result',
    (left) => services.feedback.reader.query(reader, body, left),
    { clientLeft: signal, beside: { total_count } },
  )
}
