import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { TableUpdated, TableUpdates } from '../../model/row-tables.ts'
import type { Services } from '../../services.ts'

export const updateTableRoute = {
  body: TableUpdates,
  response: { 200: TableUpdated },
  detail: {
    operationId: 'tables.update',
    summary: 'Make a new table out of one',
    description: 'Rows are added, put in and taken out in the order of the updates. The base stays as it is.',
    tags: ['Tables'],
  },
}

export async function updateTable(
  services: Services,
  caller: Caller,
  { project_id, base_digest, updates }: Static<typeof updateTableRoute.body>,
): Promise<Static<typeof TableUpdated>> {
  const { digest, rowDigests } = await services.tables.writer.update(caller.write(project_id), base_digest, updates)
  return { digest, updated_row_digests: rowDigests }
}
