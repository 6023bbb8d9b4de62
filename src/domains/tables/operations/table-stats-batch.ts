import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TableStats, TableStatsBatchRequest } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'

export const tableStatsBatchRoute = {
  body: TableStatsBatchRequest,
  response: { 200: Type.Object({ tables: Type.Array(TableStats) }) },
  detail: {
    operationId: 'tables.statsBatch',
    readOnly: true,
    summary: 'Count the rows of several tables',
    description: 'In the order of the request; unknown tables are omitted.',
    tags: ['Tables'],
  },
}

export async function tableStatsBatch(
  services: TablesServices,
  caller: Caller,
  { project_id, digests, include_storage_size }: Static<typeof tableStatsBatchRoute.body>,
) {
  const storageSize = include_storage_size === true
  return { tables: await services.tables.reader.stats(caller.read(project_id), digests ?? [], { storageSize }) }
}
