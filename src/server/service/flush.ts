import { Type } from '@sinclair/typebox'
import type { Caller } from '../../domains/access/caller.ts'
import type { Services } from '../services.ts'

const FlushedTable = Type.Object({
  table: Type.String(),
  version: Type.Integer({ description: 'Delta table version that includes everything accepted before the request' }),
  rows: Type.Integer({ description: 'Number of rows in its data files' }),
})

export const flushRoute = {
  response: { 200: Type.Object({ tables: Type.Array(FlushedTable) }) },
  detail: {
    operationId: 'service.flush',
    summary: 'Flush all tables to Delta Lake',
    description:
      'Returns once everything accepted before the request, including running calls, has been written to ' +
      'Parquet files and committed, so that other Delta Lake readers see it. Requires an admin key with scope ' +
      '`*`. Without a flush, rows are committed within minutes.',
    tags: ['Service'],
  },
}

export async function flush(services: Services, caller: Caller) {
  caller.requireOperator()
  return { tables: await services.flush() }
}
