import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { PayloadPath, PayloadSchemaQuestion } from '../../model/feedback.ts'
import type { Services } from '../../services.ts'

export const payloadSchemaRoute = {
  body: PayloadSchemaQuestion,
  response: { 200: Type.Object({ paths: Type.Array(PayloadPath) }) },
  detail: {
    operationId: 'feedback.payloadSchema',
    summary: 'Paths inside payloads',
    description:
      'Leaves of the latest payload for each `trigger_ref`, and for each type of feedback without one, with the kind of value there.',
    tags: ['Feedback'],
  },
}

export const payloadSchema = async (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof payloadSchemaRoute.body>,
) => ({ paths: await services.feedback.statistics.payloadSchema(caller.read(body.project_id), body, signal) })
