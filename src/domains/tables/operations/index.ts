import { Elysia } from 'elysia'
import type { RequestContext } from '../../requests/request-context.ts'
import { createFromDigests, createFromDigestsRoute } from './create-from-digests.ts'
import { createTable, createTableRoute } from './create-table.ts'
import { queryTable, queryTableRoute } from './query-table.ts'
import type { TablesServices } from './services.ts'
import { streamTable, streamTableRoute } from './stream-table.ts'
import { tableStats, tableStatsRoute } from './table-stats.ts'
import { tableStatsBatch, tableStatsBatchRoute } from './table-stats-batch.ts'
import { updateTable, updateTableRoute } from './update-table.ts'

/** Table operations. */
export const tablesApi = (services: TablesServices) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/table/create', ({ caller, body }) => createTable(services, caller, body), createTableRoute)
    .post(
      '/table/create_from_digests',
      ({ caller, body }) => createFromDigests(services, caller, body),
      createFromDigestsRoute,
    )
    .post('/table/update', ({ caller, body }) => updateTable(services, caller, body), updateTableRoute)
    .post('/table/query', ({ caller, body }) => queryTable(services, caller, body), queryTableRoute)
    .post('/table/query_stream', ({ caller, body }) => streamTable(services, caller, body), streamTableRoute)
    .post('/table/query_stats', ({ caller, body }) => tableStats(services, caller, body), tableStatsRoute)
    .post(
      '/table/query_stats_batch',
      ({ caller, body }) => tableStatsBatch(services, caller, body),
      tableStatsBatchRoute,
    )
