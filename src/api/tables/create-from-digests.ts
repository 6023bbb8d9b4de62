import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { TableFromDigests, TableReceipt } from '../../model/row-tables.ts'
import type { Services } from '../../services.ts'

const { digest } = TableReceipt.properties

export const createFromDigestsRoute = {
  body: TableFromDigests,
  response: { 200: Type.Object({ digest }) },
  detail: {
    operationId: 'tables.createFromDigests',
    summary: 'Create a table of rows that were sent before',
    description:
      'Every digest must be that of a row in the project; 422 names those that are not, and nothing is stored.',
    tags: ['Tables'],
  },
}

export async function createFromDigests(
  services: Services,
  caller: Caller,
  { project_id, row_digests, expected_digest }: Static<typeof createFromDigestsRoute.body>,
) {
  const { writer } = services.tables
  return { digest: await writer.createFromDigests(caller.write(project_id), row_digests, expected_digest) }
}
