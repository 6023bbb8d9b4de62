import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { TableFromDigests, TableReceipt } from '../model/row-tables.ts'
import type { TablesServices } from './services.ts'

const { digest } = TableReceipt.properties

export const createFromDigestsRoute = {
  body: TableFromDigests,
  response: { 200: Type.Object({ digest }) },
  detail: {
    operationId: 'tables.createFromDigests',
    summary: 'Create a table from row digests',
    description:
      'Every digest must identify a row already stored in the project; otherwise nothing is stored and the 422 ' +
      'response lists the unknown digests.',
    tags: ['Tables'],
  },
}

export async function createFromDigests(
  services: TablesServices,
  caller: Caller,
  { project_id, row_digests, expected_digest }: Static<typeof createFromDigestsRoute.body>,
) {
  const { writer } = services.tables
  return { digest: await writer.createFromDigests(caller.write(project_id), row_digests, expected_digest) }
}
