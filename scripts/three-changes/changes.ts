/**
 * One edit of a file: its content, where it is new, or text put behind or before an anchor, which
 * stands in it once.
 */
export type Edit =
  | { readonly file: string; readonly content: string }
  | { readonly file: string; readonly after: string; readonly insert: string }
  | { readonly file: string; readonly before: string; readonly insert: string }

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
import type { alertsTable } from '../../../engine/tables/alerts-table.ts'
import { Empty, FreeObject, OpenObject } from '../../../formats/schemas/members.ts'
import { PurgeRequest, RecordsRequest } from '../../../formats/schemas/records-request.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Records } from '../../records/index.ts'
import { jsonListResponse, requestContext, type Streams } from '../../requests/index.ts'

interface AlertServices {
  readonly alerts: Records<typeof alertsTable.specs>
  readonly streams: Streams
}

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
export const alertsApi = ({ alerts, streams }: AlertServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
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

const countFeedback = `const countFeedbackRoute = {
  body: Type.Pick(RecordsRequest, ['project_id', 'query']),
  response: { 200: Type.Object({ count: Type.Integer() }) },
  detail: { operationId: 'feedback.count', readOnly: true, summary: 'Count feedback', tags: ['Feedback'] },
}

const countFeedback = async (
  services: FeedbackServices,
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
      {
        file: 'src/formats/schemas/calls.ts',
        after: '  ext_run_id: NullableText,\n',
        insert: '  environment: NullableText,\n',
      },
    ],
  },
  {
    title: 'a new operation',
    filesMax: 1,
    edits: [
      {
        file: 'src/domains/feedback/operations/index.ts',
        before: '/** Feedback operations. */\n',
        insert: countFeedback,
      },
      {
        file: 'src/domains/feedback/operations/index.ts',
        after: '    .decorate(requestContext)\n',
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
    filesMax: 6,
    edits: [
      { file: 'src/engine/tables/alerts-table.ts', content: alertsTable },
      { file: 'src/domains/alerts/operations/index.ts', content: alertsApi },
      { file: 'src/domains/alerts/index.ts', content: "export { alertsApi } from './operations/index.ts'\n" },
      {
        file: 'src/engine/tables/tables.ts',
        after: "import { callsTable } from './calls-table.ts'\n",
        insert: "import { alertsTable } from './alerts-table.ts'\n",
      },
      { file: 'src/engine/tables/tables.ts', after: '  callsTable,\n', insert: '  alertsTable,\n' },
      {
        file: 'src/server/services.ts',
        after: "import { Jobs } from '../domains/jobs/index.ts'\n",
        insert:
          "import { Records } from '../domains/records/index.ts'\nimport { alertsTable } from '../engine/tables/alerts-table.ts'\n",
      },
      {
        file: 'src/server/services.ts',
        after: '  const services = {\n',
        insert: '    alerts: new Records({ store, clock, table: alertsTable }),\n',
      },
      {
        file: 'src/server/application.ts',
        after: "import { agentsApi } from '../domains/agents/index.ts'\n",
        insert: "import { alertsApi } from '../domains/alerts/index.ts'\n",
      },
      {
        file: 'src/server/application.ts',
        after: '    costsApi(services),\n',
        insert: '    alertsApi(services),\n',
      },
    ],
  },
]
