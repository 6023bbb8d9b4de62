import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { DomainError, quoted } from '../../../lib/errors.ts'
import type { Config } from '../../../runtime/config/configuration.ts'
import type { Access, Caller } from '../../access/index.ts'
import type { Calls } from '../../calls/index.ts'
import { requestContext } from '../../requests/index.ts'
import { CreatedLink, Link, LinkCreate, LinkRevoke, Links, LinksRequest } from '../model/links.ts'
import type { SharedLink, SharedLinks } from '../shared-links.ts'

/** The services that these operations are given. */
interface SharingServices {
  readonly access: Access
  readonly calls: Calls
  readonly sharedLinks: SharedLinks
}

const tags = ['Shared links']

const createLinkRoute = {
  body: LinkCreate,
  response: { 200: CreatedLink },
  detail: {
    operationId: 'sharedLinks.create',
    summary: 'Make a read-only link to a trace',
    description:
      'Anyone with the link can read this one trace in the web UI, with inputs, outputs and feedback, and nothing ' +
      'else, until the link expires or is revoked. It ends with the API key that made it.',
    tags,
  },
}

async function createLink(
  services: SharingServices,
  { basePath }: Config,
  caller: Caller,
  { project_id, trace_id, expires_in_seconds }: Static<typeof LinkCreate>,
): Promise<Response> {
  const writer = caller.write(project_id)
  const { count } = await services.calls.reader.stats(writer, { filter: { trace_ids: [trace_id] }, limit: 1 })
  if (count === 0) {
    throw new DomainError('NotFound', `Cannot share the trace ${quoted(trace_id)}: it does not exist in the project`)
  }
  const { link, secret } = await services.sharedLinks.create(writer, {
    traceId: trace_id,
    lifeMs: expires_in_seconds * 1000,
  })
  const path = `${basePath}/ui/shared/${link.id}#${secret}`
  // The only response with the secret: it must stay out of caches.
  return Response.json({ ...shown(services, link), path }, { headers: { 'cache-control': 'no-store' } })
}

const queryLinksRoute = {
  body: LinksRequest,
  response: { 200: Links },
  detail: {
    operationId: 'sharedLinks.query',
    readOnly: true,
    summary: 'List read-only links to traces',
    description:
      'Without their secrets: those of one trace, of one project, or of every project that the key may write to. ' +
      'Requires a key that may write.',
    tags,
  },
}

async function queryLinks(
  services: SharingServices,
  caller: Caller,
  { project_id, trace_id }: Static<typeof LinksRequest>,
): Promise<Static<typeof Links>> {
  if (project_id) caller.write(project_id)
  else caller.requireRole('write')
  const links = await services.sharedLinks.list(
    (link) =>
      (project_id ? link.project_id === project_id : caller.canWrite(link.project_id)) &&
      (!trace_id || link.trace_id === trace_id),
  )
  return { links: links.map((link) => shown(services, link)) }
}

const revokeLinkRoute = {
  body: LinkRevoke,
  response: { 200: Link },
  detail: {
    operationId: 'sharedLinks.revoke',
    summary: 'Revoke a read-only link to a trace',
    description: 'The link opens nothing from now on. Any key that may write to the project can revoke it.',
    tags,
  },
}

const revokeLink = async (services: SharingServices, caller: Caller, { project_id, id }: Static<typeof LinkRevoke>) =>
  shown(services, await services.sharedLinks.revoke(caller.write(project_id), id))

const shown = (
  { access }: SharingServices,
  { id, project_id, trace_id, created_ms, expires_ms, user_id }: SharedLink,
): Static<typeof Link> => ({
  id,
  project_id,
  trace_id,
  created_at: new Date(created_ms).toISOString(),
  expires_at: new Date(expires_ms).toISOString(),
  ext_user_id: user_id,
  ext_username: access.usernames().get(user_id) ?? null,
})

/** Operations on read-only links. */
export const sharingApi = (services: SharingServices, config: Config) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/shared_links/create', ({ caller, body }) => createLink(services, config, caller, body), createLinkRoute)
    .post('/shared_links/query', ({ caller, body }) => queryLinks(services, caller, body), queryLinksRoute)
    .post('/shared_links/revoke', ({ caller, body }) => revokeLink(services, caller, body), revokeLinkRoute)
