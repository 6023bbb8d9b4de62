/**
 * One edit of a file: its content, where it is new, or text put behind an anchor, which stands in
 * it once.
 */
export type Edit =
  | { readonly file: string; readonly content: string }
  | { readonly file: string; readonly after: string; readonly insert: string }

/** A change that CONTRIBUTING.md walks through. */
export interface Change {
  readonly title: string
  /** Files that it may touch, tests and documents aside. */
  readonly filesMax: number
  readonly edits: readonly Edit[]
}

const alertsTable = `import { json, text, time } from './columns.ts'
import { callsTable } from './calls-table.ts'
import { defineTable } from './define-table.ts'

export const alertsTable = defineTable({
  name: 'alerts',
  description: 'Alerts on calls; an alert never changes.',
  columns: {
    id: text('id of the alert'),
    call_id: text('id of the call', { bloom: true }),
    message: text('what is wrong'),
    details: json('JSON object: whatever the sender adds'),
    created_by: text('id of the API key that created the alert'),
    created_at: time('when the server accepted the alert'),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'message',
  refersTo: [callsTable],
})
`

const alertsApi = `import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectId } from '../../kernel/project-id.ts'
import { Empty } from '../../model/empty.ts'
import { FreeObject, OpenObject } from '../../model/nullable.ts'
import { PurgeRequest, RecordsRequest } from '../../model/records-request.ts'
import type { Services } from '../../services.ts'
import { jsonListResponse } from '../json-lines.ts'
import type { RequestContext } from '../request-context.ts'

const tags = ['Alerts']

const createRoute = {
  body: OpenObject({ project_id: ProjectId, call_id: Type.String(), message: Type.String(), details: FreeObject }),
  response: { 200: Type.Object({ id: Type.String() }) },
  detail: { operationId: 'alerts.create', idempotencyKey: true, summary: 'Create an alert', tags },
}

const queryRoute = {
  body: RecordsRequest,
  detail: { operationId: 'alerts.query', readOnly: true, summary: 'Query alerts', tags },
}

const deleteRoute = {
  body: PurgeRequest,
  response: { 200: Empty },
  detail: { operationId: 'alerts.delete', idempotencyKey: true, summary: 'Delete alerts', tags },
}

/** Alert operations. */
export const alertsApi = ({ alerts, streams }: Services) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post(
      '/alerts/create',
      async ({ caller, body: { project_id, call_id, message, details } }) => {
        const writer = caller.write(project_id)
        const alert = { call_id, message, details: JSON.stringify(details), created_by: writer.userId }
        return { id: (await alerts.create(writer, [alert]))[0]! }
      },
      createRoute,
    )
    .post(
      '/alerts/query',
      ({ caller, request, body }) => {
        const reader = caller.read(body.project_id)
        const clientLeft = request.signal
        return jsonListResponse(streams, 'alerts', (left) => alerts.query(reader, body, left), { clientLeft })
      },
      queryRoute,
    )
    .post(
      '/alerts/delete',
      async ({ caller, body }) => {
        await alerts.purge(caller.write(body.project_id), body.query)
        return {}
      },
      deleteRoute,
    )
`

const countFeedback = `import { type Static, Type } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { RecordsRequest } from '../../model/records-request.ts'
import type { Services } from '../../services.ts'

export const countFeedbackRoute = {
  body: Type.Pick(RecordsRequest, ['project_id', 'query']),
  response: { 200: Type.Object({ count: Type.Integer() }) },
  detail: { operationId: 'feedback.count', readOnly: true, summary: 'Count feedback', tags: ['Feedback'] },
}

export const countFeedback = async (
  services: Services,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof countFeedbackRoute.body>,
) => ({ count: await services.feedback.reader.count(caller.read(body.project_id), body, signal) })
`

export const changes: readonly Change[] = [
  {
    title: 'a new member of calls',
    filesMax: 2,
    edits: [
      {
        file: 'src/engine/tables/calls-table.ts',
        after: "    ext_run_id: text('run that the call belongs to', { nullable: true, start: checkName }),\n",
        insert: "    environment: text('deployment environment', { nullable: true, start: checkName }),\n",
      },
      {
        file: 'src/formats/schemas/calls.ts',
        after: '  ext_run_id: Nullable(Text),\n',
        insert: '  environment: Nullable(Text),\n',
      },
      { file: 'src/formats/schemas/calls.ts', after: '  ext_run_id: NullableText,\n', insert: '  environment: NullableText,\n' },
    ],
  },
  {
    title: 'a new operation',
    filesMax: 4,
    edits: [
      { file: 'src/api/feedback/count-feedback.ts', content: countFeedback },
      {
        file: 'src/domains/feedback/operations/index.ts',
        after: "import { aggregateFeedback, aggregateFeedbackRoute } from './aggregate-feedback.ts'\n",
        insert: "import { countFeedback, countFeedbackRoute } from './count-feedback.ts'\n",
      },
      {
        file: 'src/domains/feedback/operations/index.ts',
        after: '    .decorate({} as RequestContext)\n',
        insert: `    .post(
      '/feedback/count',
      ({ caller, request, body }) => countFeedback(services, caller, request, body),
      countFeedbackRoute,
    )
`,
      },
    ],
  },
  {
    title: 'a new stored table',
    filesMax: 5,
    edits: [
      { file: 'src/tables/alerts-table.ts', content: alertsTable },
      { file: 'src/api/alerts/index.ts', content: alertsApi },
      {
        file: 'src/engine/tables/tables.ts',
        after: "import { callsTable } from './calls-table.ts'\n",
        insert: "import { alertsTable } from './alerts-table.ts'\n",
      },
      { file: 'src/engine/tables/tables.ts', after: '  callsTable,\n', insert: '  alertsTable,\n' },
      {
        file: 'src/server/services.ts',
        after: "import { RowTables } from './records/row-tables/row-tables.ts'\n",
        insert:
          "import { Records } from './records/records.ts'\nimport { alertsTable } from './tables/alerts-table.ts'\n",
      },
      {
        file: 'src/server/services.ts',
        after: '  const services = {\n',
        insert: '    alerts: new Records({ store, clock, table: alertsTable }),\n',
      },
      {
        file: 'src/server/application.ts',
        after: "import { accountsApi } from './api/accounts/index.ts'\n",
        insert: "import { alertsApi } from './api/alerts/index.ts'\n",
      },
      {
        file: 'src/server/application.ts',
        after: '    .use(costsApi(services))\n',
        insert: '    .use(alertsApi(services))\n',
      },
    ],
  },
]
