import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { CallsQuery, FoundCall, FoundCalls } from '../../../../formats/schemas/calls.ts'
import type { Caller } from '../../../access/index.ts'
import type { CallsServices } from '../services.ts'
import { streamCalls } from './stream-calls.ts'
import { chooseFormat, formats, type StreamFormat } from './stream-format.ts'

const description =
  'Returns all matching calls unless `limit` is given, oldest first unless `sort_by` is given; the order is ' +
  `total. The \`accept\` header selects the format: ${formats.join(', ')}. If a stream fails midway, the ` +
  'server drops the connection.'

const text = Type.String({ description: 'A header, then a row for each call' })
const bytes = Type.String({ format: 'binary' })
const schemas: Readonly<Record<StreamFormat, TSchema>> = {
  'application/jsonl': FoundCall,
  'application/json': FoundCalls,
  'text/csv': text,
  'text/tab-separated-values': text,
  'application/vnd.apache.arrow.stream': bytes,
  'application/vnd.apache.parquet': bytes,
}

export const streamQueryRoute = {
  body: CallsQuery,
  detail: {
    operationId: 'calls.streamQuery',
    readOnly: true,
    summary: 'Query calls (stream)',
    description,
    tags: ['Calls'],
    responses: {
      200: {
        description: 'Calls in the requested format; in JSON Lines, the schema is that of one line',
        content: Object.fromEntries(formats.map((format) => [format, { schema: schemas[format] }])),
      },
    },
  },
}

export const streamQuery = (
  services: CallsServices,
  caller: Caller,
  request: Request,
  body: Static<typeof streamQueryRoute.body>,
) =>
  streamCalls(services, caller.read(body.project_id), body, chooseFormat(request.headers.get('accept')), request.signal)
