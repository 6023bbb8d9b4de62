import type { Static } from '@sinclair/typebox'
import { jsonLines } from '../../../formats/wire/text-stream.ts'
import type { Caller } from '../../access/caller.ts'
import { describeJsonLines } from '../../requests/json-lines.ts'
import { TableQuery, TableRowOut } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'
import { streamRows } from './stream-rows.ts'

export const streamTableRoute = {
  body: TableQuery,
  detail: {
    operationId: 'tables.queryStream',
    readOnly: true,
    summary: 'Query the rows of a table (stream)',
    description:
      'JSON Lines: one object with `digest`, `val` and `original_index` per line. If a stream fails midway, the ' +
      'server drops the connection.',
    tags: ['Tables'],
    responses: describeJsonLines('Table rows, one per line', TableRowOut),
  },
}

export const streamTable = (services: TablesServices, caller: Caller, body: Static<typeof streamTableRoute.body>) =>
  streamRows(services, caller.read(body.project_id), body, jsonLines, 'application/jsonl')
