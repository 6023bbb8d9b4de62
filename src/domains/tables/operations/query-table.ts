import { type Static, Type } from '@sinclair/typebox'
import { jsonMember } from '../../../formats/wire/text-stream.ts'
import type { Caller } from '../../access/caller.ts'
import { TableQuery, TableRowOut } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'
import { streamRows } from './stream-rows.ts'

export const queryTableRoute = {
  body: TableQuery,
  response: { 200: Type.Object({ rows: Type.Array(TableRowOut) }) },
  detail: {
    operationId: 'tables.query',
    readOnly: true,
    summary: 'Query the rows of a table',
    description:
      'Returns all rows unless `limit` is given, in table order unless `sort_by` names paths into the rows. An ' +
      'unknown table has no rows.',
    tags: ['Tables'],
  },
}

export const queryTable = (services: TablesServices, caller: Caller, body: Static<typeof queryTableRoute.body>) =>
  streamRows(services, caller.read(body.project_id), body, jsonMember('rows'), 'application/json')
