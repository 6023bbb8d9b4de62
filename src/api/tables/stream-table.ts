import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { TableQuery } from '../../model/row-tables.ts'
import type { Services } from '../../services.ts'
import { jsonLines } from '../../wire/text-stream.ts'
import { streamRows } from './stream-rows.ts'

export const streamTableRoute = {
  body: TableQuery,
  detail: {
    operationId: 'tables.queryStream',
    summary: 'Query the rows of a table as a stream',
    description:
      'JSON Lines: one object with `digest`, `val` and `original_index` a line. A stream that fails midway breaks the connection.',
    tags: ['Tables'],
    responses: { 200: { description: 'Rows in the asked order', content: { 'application/jsonl': {} } } },
  },
}

export const streamTable = (services: Services, caller: Caller, body: Static<typeof streamTableRoute.body>) =>
  streamRows(services, caller.read(body.project_id), body, jsonLines, 'application/jsonl')
