import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { byteStream, encodeTexts, type Framing, jsonLines, jsonMember } from '../../../formats/wire/byte-stream.ts'
import type { Caller, ProjectReader } from '../../access/index.ts'
import { describeJsonLines, requestContext, type Streams } from '../../requests/index.ts'
import {
  TableCreate,
  TableFromDigests,
  TableQuery,
  TableReceipt,
  TableRowOut,
  type TableRowsRequest,
  TableStats,
  TableStatsBatchRequest,
  TableStatsRequest,
  TableUpdated,
  TableUpdates,
} from '../model/row-tables.ts'
import { rowTexts } from '../read-rows.ts'
import type { RowTables } from '../row-tables.ts'

/** The services that these operations are given. */
interface TablesServices {
  readonly streams: Streams
  readonly tables: RowTables
}

const createTableRoute = {
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

async function createTable(
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

/** Streams table rows as text; the status is decided before the first byte. */
async function streamRows(
  services: TablesServices,
  reader: ProjectReader,
  request: TableRowsRequest,
  framing: Framing,
  contentType: string,
): Promise<Response> {
  const abort = new AbortController()
  const batches = services.tables.reader.stream(reader, request, abort.signal)
  const texts = async function* () {
    for await (const rows of batches) yield rowTexts(rows)
  }
  const body = await byteStream(encodeTexts(texts(), framing), abort, services.streams.shouldYield)
  return new Response(body, { headers: { 'content-type': contentType } })
}

const streamTableRoute = {
  body: TableQuery,
  detail: {
    operationId: 'tables.queryStream',
    readOnly: true,
    summary: 'Query the rows of a table (stream)',
    description:
      'JSON Lines: one object with `digest`, `val` and `original_index` per line. If a stream fails midway, the ' +
      'server drops the connection.',
    tags: ['Tables'],
    responses: describeJsonLines('Table rows, one per line', TableRowOut),
  },
}

const streamTable = (services: TablesServices, caller: Caller, body: Static<typeof streamTableRoute.body>) =>
  streamRows(services, caller.read(body.project_id), body, jsonLines, 'application/jsonl')

const { digest } = TableReceipt.properties

const createFromDigestsRoute = {
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

async function createFromDigests(
  services: TablesServices,
  caller: Caller,
  { project_id, row_digests, expected_digest }: Static<typeof createFromDigestsRoute.body>,
) {
  const { writer } = services.tables
  return { digest: await writer.createFromDigests(caller.write(project_id), row_digests, expected_digest) }
}

const queryTableRoute = {
  body: TableQuery,
  response: { 200: Type.Object({ rows: Type.Array(TableRowOut) }) },
  detail: {
    operationId: 'tables.query',
    readOnly: true,
    summary: 'Query the rows of a table',
    description:
      'Returns all rows unless `limit` is given, in table order unless `sort_by` names paths into the rows. An ' +
      'unknown table has no rows.',
    tags: ['Tables'],
  },
}

const queryTable = (services: TablesServices, caller: Caller, body: Static<typeof queryTableRoute.body>) =>
  streamRows(services, caller.read(body.project_id), body, jsonMember('rows'), 'application/json')

const tableStatsBatchRoute = {
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

async function tableStatsBatch(
  services: TablesServices,
  caller: Caller,
  { project_id, digests, include_storage_size }: Static<typeof tableStatsBatchRoute.body>,
) {
  const storageSize = include_storage_size === true
  return { tables: await services.tables.reader.stats(caller.read(project_id), digests ?? [], { storageSize }) }
}

const updateTableRoute = {
  body: TableUpdates,
  response: { 200: TableUpdated },
  detail: {
    operationId: 'tables.update',
    summary: 'Create a table by updating another',
    description: 'Applies the updates (append, insert, pop) in order. The base table is not changed.',
    tags: ['Tables'],
  },
}

async function updateTable(
  services: TablesServices,
  caller: Caller,
  { project_id, base_digest, updates }: Static<typeof updateTableRoute.body>,
): Promise<Static<typeof TableUpdated>> {
  const { digest, rowDigests } = await services.tables.writer.update(caller.write(project_id), base_digest, updates)
  return { digest, updated_row_digests: rowDigests }
}

const tableStatsRoute = {
  body: TableStatsRequest,
  response: { 200: Type.Object({ count: Type.Integer() }) },
  detail: {
    operationId: 'tables.stats',
    readOnly: true,
    summary: 'Count the rows of a table',
    description: 'An unknown table has 0 rows.',
    tags: ['Tables'],
  },
}

async function tableStats(services: TablesServices, caller: Caller, body: Static<typeof tableStatsRoute.body>) {
  return { count: (await services.tables.reader.count(caller.read(body.project_id), body.digest)) ?? 0 }
}

/** Table operations. */
export const tablesApi = (services: TablesServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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
