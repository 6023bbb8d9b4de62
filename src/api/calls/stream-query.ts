import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallsQuery } from '../../model/calls.ts'
import type { Services } from '../../services.ts'
import { streamCalls } from './stream-calls.ts'
import { chooseFormat, formats } from './stream-format.ts'

const description = `Calls in total order, oldest first unless \`sort_by\` says otherwise. Without a limit all of them. The \`accept\` header chooses
the format: ${formats.join(', ')}. A stream that fails midway breaks the connection.`

export const streamQueryRoute = {
  body: CallsQuery,
  detail: {
    operationId: 'calls.streamQuery',
    summary: 'Query calls as a stream',
    description,
    tags: ['Calls'],
    responses: {
      200: {
        description: 'Calls in the format that was asked for',
        content: Object.fromEntries(formats.map((format) => [format, {}])),
      },
    },
  },
}

export const streamQuery = (
  services: Services,
  caller: Caller,
  request: Request,
  body: Static<typeof streamQueryRoute.body>,
) =>
  streamCalls(services, caller.read(body.project_id), body, chooseFormat(request.headers.get('accept')), request.signal)
