import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TableCreate, TableReceipt } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'

export const createTableRoute = {
  body: TableCreate,
  response: { 200: TableReceipt },
  detail: {
    operationId: 'tables.create',
    summary: 'Create a table',
    description:
      'Tables are content-addressed: equal rows are stored once, and the same rows in the same order are the ' +
      'same table. To upload a table that exceeds the body limit, create it with its first rows and append the ' +
      'rest with `/table/update`.',
    tags: ['Tables'],
  },
}

export async function createTable(
  services: TablesServices,
  caller: Caller,
  { table }: Static<typeof createTableRoute.body>,
): Promise<Static<typeof TableReceipt>> {
  const { digest, rowDigests } = await services.tables.writer.create(
    caller.write(table.project_id),
    table.rows,
    table.expected_digest,
  )
  return { digest, row_digests: rowDigests }
}
