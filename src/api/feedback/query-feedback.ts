import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { FreeObject } from '../../model/nullable.ts'
import { RecordsRequest } from '../../model/records-request.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'

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
  services: Services,
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
