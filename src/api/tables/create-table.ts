import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { TableCreate, TableReceipt } from '../../model/row-tables.ts'
import type { Services } from '../../services.ts'

export const createTableRoute = {
  body: TableCreate,
  response: { 200: TableReceipt },
  detail: {
    operationId: 'tables.create',
    summary: 'Create a table',
    description:
      'Equal rows are stored once, and the same rows in the same order are the same table. A table too large for one request is created from its beginning and then grows with `/table/update`.',
    tags: ['Tables'],
  },
}

export async function createTable(
  services: Services,
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
