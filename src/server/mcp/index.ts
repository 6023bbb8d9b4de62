import { Elysia } from 'elysia'
import type { Caller } from '../../domains/access/index.ts'
import { requestContext } from '../../domains/requests/index.ts'
import { FreeObject, OpenObject } from '../../formats/schemas/members.ts'
import { DomainError, quoted } from '../../lib/errors.ts'
import { isProjectId } from '../../lib/project-id.ts'
import type { Log } from '../../runtime/log.ts'
import type { Services } from '../services.ts'

const mcpRoute = {
  detail: {
    operationId: 'mcp.request',
    readOnly: true,
    // Each tool reads its arguments by a schema of its own.
    checkedBody: OpenObject({ params: OpenObject({ arguments: FreeObject }) }),
    summary: 'Call the tools for agents',
    description:
      'The Model Context Protocol over streamable HTTP, without sessions: JSON-RPC requests such as `tools/list` and ' +
      '`tools/call`. The scope and the role of the key decide which tools there are and what they can access. ' +
      '`?project=entity/project` sets the project of tool calls that name none.',
    tags: ['Agents'],
    responses: {
      200: { description: 'A JSON-RPC response, as JSON or as one server-sent event' },
      202: { description: 'A notification was accepted' },
    },
  },
}

/** Services that the tools use. */
interface McpParts {
  /** Answering in neutral names. */
  readonly services: Services
  readonly log: Log
  /** The address that browsers use for this server, if it is configured. */
  readonly publicUrl: string | undefined
}

/** @throws DomainError Forbidden for a request of another site; InvalidRequest for a batch */
async function mcp(
  { services, log, publicUrl }: McpParts,
  caller: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  requireOwnOrigin(request, publicUrl)
  requireSingle(body)
  const defaultProject = new URL(request.url).searchParams.get('project') ?? undefined
  if (defaultProject !== undefined && !isProjectId(defaultProject))
    throw new DomainError('InvalidRequest', `\`project\` must be "entity/project", not ${quoted(defaultProject)}`)
  // Loaded by the first request: the SDK must not slow every start down.
  const { answerMcp } = await import('./mcp-server.ts')
  const context = { services, caller, defaultProject, signal: request.signal }
  return await answerMcp(request, body, { context, log })
}

/**
 * The specification asks for this against DNS rebinding, where a page of another site reaches this
 * server under a name of its own: the header `Host` then names that site, so it proves nothing.
 * Agents send no `Origin`; pages on this machine, such as MCP inspectors, may.
 */
function requireOwnOrigin({ headers }: Request, publicUrl: string | undefined): void {
  const text = headers.get('origin')
  if (text === null) return
  const origin = URL.parse(text)
  if (origin !== null && loopbackNames.has(origin.hostname)) return
  if (origin !== null && publicUrl !== undefined && origin.host === new URL(publicUrl).host) return
  throw new DomainError('Forbidden', `Requests from the site ${quoted(text)} are not accepted`)
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Batches are no longer part of the protocol, and would multiply the work of one request. */
function requireSingle(body: unknown): void {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined
  if (Array.isArray(body)) throw new DomainError('InvalidRequest', 'Send one JSON-RPC message per request, not a batch')
  if (method === 'subscriptions/listen')
    throw new DomainError('InvalidRequest', 'This server sends no notifications, so there is nothing to subscribe to')
}

const otherMethods = { detail: { hide: true, readOnly: true } }

/** There is no stream to listen to and no session to end. */
const refuseMethod = (): Response =>
  Response.json(
    { reason: 'Send JSON-RPC messages with POST: this server keeps no sessions', error_type: 'InvalidRequest' },
    { status: 405, headers: { allow: 'POST' } },
  )

/** The Model Context Protocol. */
export const mcpApi = (parts: McpParts) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/mcp', ({ caller, request, body }) => mcp(parts, caller, request, body), mcpRoute)
    .get('/mcp', refuseMethod, otherMethods)
    .delete('/mcp', refuseMethod, otherMethods)
