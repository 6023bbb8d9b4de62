import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { PayloadPath, PayloadSchemaRequest } from '../model/feedback.ts'
import type { FeedbackServices } from './services.ts'

export const payloadSchemaRoute = {
  body: PayloadSchemaRequest,
  response: { 200: Type.Object({ paths: Type.Array(PayloadPath) }) },
  detail: {
    operationId: 'feedback.payloadSchema',
    readOnly: true,
    summary: 'List the paths in feedback payloads',
    description:
      'Returns the leaf paths and value types of the latest payload per `trigger_ref`, or per feedback type if ' +
      'there is no trigger.',
    tags: ['Feedback'],
  },
}

export const payloadSchema = async (
  services: FeedbackServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof payloadSchemaRoute.body>,
) => ({ paths: await services.feedback.statistics.payloadSchema(caller.read(body.project_id), body, signal) })
