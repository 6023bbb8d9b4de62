import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TableStatsRequest } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'

export const tableStatsRoute = {
  body: TableStatsRequest,
  response: { 200: Type.Object({ count: Type.Integer() }) },
  detail: {
    operationId: 'tables.stats',
    readOnly: true,
    summary: 'Count the rows of a table',
    description: 'An unknown table has 0 rows.',
    tags: ['Tables'],
  },
}

export async function tableStats(services: TablesServices, caller: Caller, body: Static<typeof tableStatsRoute.body>) {
  return { count: (await services.tables.reader.count(caller.read(body.project_id), body.digest)) ?? 0 }
}
