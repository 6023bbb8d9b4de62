import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TableUpdated, TableUpdates } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'

export const updateTableRoute = {
  body: TableUpdates,
  response: { 200: TableUpdated },
  detail: {
    operationId: 'tables.update',
    summary: 'Create a table by updating another',
    description: 'Applies the updates (append, insert, pop) in order. The base table is not changed.',
    tags: ['Tables'],
  },
}

export async function updateTable(
  services: TablesServices,
  caller: Caller,
  { project_id, base_digest, updates }: Static<typeof updateTableRoute.body>,
): Promise<Static<typeof TableUpdated>> {
  const { digest, rowDigests } = await services.tables.writer.update(caller.write(project_id), base_digest, updates)
  return { digest, updated_row_digests: rowDigests }
}
