import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../domains/access/index.ts'
import { requestContext } from '../../domains/requests/index.ts'
import { OpenObject } from '../../formats/schemas/members.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { internalProjectId, ProjectId } from '../../lib/project-id.ts'
import { version } from '../../lib/version.ts'
import { Location } from '../../runtime/geolocation/geolocation.ts'
import { readSkillFile } from '../../runtime/platform/files/guide-files.ts'
import type { Services } from '../services.ts'

export const skillPath = '/skill.md'

const skillRoute = {
  detail: {
    operationId: 'service.skill',
    summary: 'Read the skill for coding agents',
    description: 'A SKILL.md: when and how a coding agent uses this server. Requires no API key.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { description: 'Markdown', content: { 'text/markdown': { schema: { type: 'string' as const } } } },
    },
  },
}

const skill = async (): Promise<Response> =>
  new Response(await readSkillFile(), { headers: { 'content-type': 'text/markdown; charset=utf-8' } })

export const metricsPath = '/metrics'

const metricsRoute = {
  detail: {
    operationId: 'service.metrics',
    summary: 'Get server metrics',
    description:
      'Prometheus text format. Requires a key of any role with scope `*` unless the server runs with ' +
      'TRACELAKE_METRICS=open.',
    tags: ['Service'],
    responses: { 200: { description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' as const } } } } },
  },
}

/** @param caller undefined if the server exposes its metrics without a key */
async function metrics(services: Services, caller: Caller | undefined): Promise<Response> {
  caller?.requireEveryProject()
  const { text, contentType } = await services.metrics.text()
  return new Response(text, { headers: { 'content-type': contentType } })
}

const geolocateRoute = {
  query: OpenObject({
    ip: Type.Optional(Type.String({ description: 'IPv4 or IPv6 address; defaults to the address of the caller' })),
  }),
  response: {
    200: Type.Object({
      ip: Type.String(),
      location: Type.Union([Location, Type.Null()], {
        description: 'Null if the address is unknown, private or reserved',
      }),
      allowed: Type.Boolean({
        description: 'Whether inference is available at this location; always false on this server',
      }),
    }),
  },
  detail: {
    operationId: 'service.geolocate',
    summary: 'Look up the country of an IP address',
    description: 'Uses a table that ships with the server; no network requests are made.',
    tags: ['Service'],
  },
}

async function geolocate(services: Services, clientIp: string | undefined, query: Static<typeof geolocateRoute.query>) {
  // Some clients send an empty `?ip=` for "none".
  const ip = query.ip || clientIp
  if (ip === undefined)
    throw new DomainError('InvalidRequest', 'No IP address given, and the address of the caller is unknown')
  return { ip, location: await services.geolocation.locate(ip), allowed: false }
}

const ProjectInfo = Type.Object({ external_project_id: Type.String(), internal_project_id: Type.String() })

const projectsInfoRoute = {
  body: OpenObject({ project_ids: Type.Array(ProjectId, { maxItems: operationLimits.projectsInfoMax }) }),
  response: { 200: Type.Array(ProjectInfo) },
  detail: {
    operationId: 'service.projectsInfo',
    readOnly: true,
    summary: 'Get internal project ids',
    description:
      'All projects must be within the scope of the API key. The response does not reveal whether a project ' +
      'exists.',
    tags: ['Service'],
  },
}

const projectsInfo = (caller: Caller, { project_ids }: Static<typeof projectsInfoRoute.body>) =>
  project_ids.map((id) => {
    const { projectId } = caller.read(id)
    return { external_project_id: projectId, internal_project_id: internalProjectId(projectId) }
  })

const FlushedTable = Type.Object({
  table: Type.String(),
  version: Type.Integer({ description: 'Delta table version that includes everything accepted before the request' }),
  rows: Type.Integer({ description: 'Number of rows in its data files' }),
})

const flushRoute = {
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

async function flush(services: Services, caller: Caller) {
  caller.requireOperator()
  return { tables: await services.flush() }
}

const healthRoute = {
  response: {
    200: Type.Object({ status: Type.Literal('ok'), damaged_files: Type.Optional(Type.Integer({ minimum: 1 })) }),
  },
  detail: {
    operationId: 'service.health',
    summary: 'Check the health of the server',
    description:
      'Requires no API key. Returns 503 with the reason while the store does not accept writes. `damaged_files` ' +
      'counts damaged data files, whose rows are not served; it is omitted if there are none.',
    tags: ['Service'],
    security: [],
  },
}

const health = (services: Services) => services.health.check()

/** Minimum version of the Python SDK; older ones ask their user to upgrade. */
const minRequiredPythonVersion = '0.51.0'

const serverInfoRoute = {
  response: {
    200: Type.Object({ min_required_ext_python_version: Type.String(), trace_server_version: Type.String() }),
  },
  detail: {
    operationId: 'service.serverInfo',
    summary: 'Get version requirements for clients',
    tags: ['Service'],
  },
}

const serverInfo = () => ({
  min_required_ext_python_version: minRequiredPythonVersion,
  trace_server_version: version,
})

const versionRoute = {
  response: { 200: Type.Object({ version: Type.String({ examples: ['0.1.0'] }) }) },
  detail: {
    operationId: 'service.version',
    summary: 'Get the server version',
    description: 'Requires no API key.',
    tags: ['Service'],
    security: [],
  },
}

const readVersion = () => ({ version })

/** Operations about the server itself. */
export const serviceApi = (services: Services, { metricsOpen }: { readonly metricsOpen: boolean }) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .get('/health', () => health(services), healthRoute)
    .get('/version', () => readVersion(), versionRoute)
    .get(skillPath, () => skill(), skillRoute)
    .get('/server_info', () => serverInfo(), serverInfoRoute)
    .post('/service/projects_info', ({ caller, body }) => projectsInfo(caller, body), projectsInfoRoute)
    .post('/flush', ({ caller }) => flush(services, caller), flushRoute)
    .get(metricsPath, ({ caller }) => metrics(services, metricsOpen ? undefined : caller), metricsRoute)
    .get('/geolocate', ({ client, query }) => geolocate(services, client?.ip(), query), geolocateRoute)
