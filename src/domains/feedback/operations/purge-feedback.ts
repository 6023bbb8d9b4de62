import type { Static } from '@sinclair/typebox'
import { Empty } from '../../../formats/schemas/empty.ts'
import { PurgeRequest } from '../../../formats/schemas/records-request.ts'
import type { Caller } from '../../access/caller.ts'
import type { FeedbackServices } from './services.ts'

export const purgeFeedbackRoute = {
  body: PurgeRequest,
  response: { 200: Empty },
  detail: {
    operationId: 'feedback.purge',
    idempotencyKey: true,
    summary: 'Purge feedback',
    description:
      'Deletes feedback permanently. `query` must select by id: `$eq` on `id`, or an `$or` of these. Unknown ' +
      'ids are ignored.',
    tags: ['Feedback'],
  },
}

export async function purgeFeedback(
  services: FeedbackServices,
  caller: Caller,
  { project_id, query }: Static<typeof purgeFeedbackRoute.body>,
) {
  await services.feedback.writer.purge(caller.write(project_id), query)
  return {}
}
