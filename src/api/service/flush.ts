import { Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import type { Services } from '../../services.ts'

const FlushedTable = Type.Object({
  table: Type.String(),
  version: Type.Integer({ description: 'Version of the Delta table that has everything that was accepted before' }),
  rows: Type.Integer({ description: 'Rows in its files' }),
})

export const flushRoute = {
  response: { 200: Type.Object({ tables: Type.Array(FlushedTable) }) },
  detail: {
    operationId: 'service.flush',
    summary: 'Write everything to the Delta tables',
    description:
      'Answers when everything that was accepted before is in the Parquet files and committed, calls that still run included, so that other programs which read the tables see it. Needs an admin key for all projects. Without it rows get there within minutes.',
    tags: ['Service'],
  },
}

export async function flush(services: Services, caller: Caller) {
  caller.requireEveryProject()
  caller.requireRole('admin')
  return { tables: await services.flushing.flush() }
}
