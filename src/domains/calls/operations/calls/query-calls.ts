import type { Static, TSchema } from '@sinclair/typebox'
import { CallsQuery, FoundCalls } from '../../../../formats/schemas/calls.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'
import { streamCalls } from './stream-calls.ts'

export const queryCallsRoute = {
  body: CallsQuery,
  detail: {
    operationId: 'calls.query',
    readOnly: true,
    summary: 'Query calls as a single JSON object',
    description: 'Equivalent to `/calls/stream_query` with `accept: application/json`. Used by older clients.',
    tags: ['Calls'],
    responses: {
      200: {
        description: 'An object with the member `calls`',
        content: { 'application/json': { schema: FoundCalls as TSchema } },
      },
    },
  },
}

export const queryCalls = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof queryCallsRoute.body>,
) => streamCalls(services, caller.read(body.project_id), body, 'application/json', signal)
