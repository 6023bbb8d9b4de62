import { integer, text, texts, time } from './columns.ts'
import { defineTable, type RowOf } from './define-table.ts'

/** The project of all rows of the table: one query finds what happened on the server. */
export const auditPartition = '*'

export const auditTable = defineTable({
  name: 'audit',
  description:
    'Who did what: sign-ins, administration and changes, one row per request; sent telemetry and, if configured, ' +
    'reads, one row per minute, user, operation, projects, status and address. Never contents.',
  project: 'always `*`: the log is one list',
  columns: {
    id: text('id of the entry'),
    kind: text('sign-in, admin, change, ingest or read', { bounds: true }),
    operation: text('id of the operation, as in /openapi.json'),
    ext_user_id: text('id of the API key or the account; empty if it was not valid', { bloom: true }),
    ext_username: text('name of the API key or the person, at that time'),
    project_ids: texts('projects that were asked for, at most 20'),
    item_ids: texts('ids that the request named, and names of keys and secrets, at most 20; none in rows per minute'),
    items: integer('number of ids or items that the requests named'),
    status: integer('HTTP status of the answer'),
    requests: integer('number of requests'),
    address: text('address of the client; null if the server does not record it', { nullable: true }),
    request_id: text('id of the request, as in the log; null in rows per minute', { nullable: true }),
    reason: text('why, in the words of the person who made the change; null if there are none', { nullable: true }),
    created_at: time('when the request was answered, or the first of them', { bounds: true }),
    last_at: time('when the last of them was answered'),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'kind',
  updatedAt: 'last_at',
})

export type AuditRow = RowOf<typeof auditTable>
