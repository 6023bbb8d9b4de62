import { Elysia } from 'elysia'
import type { RequestContext } from '../../domains/requests/request-context.ts'
import { type McpParts, mcp, mcpRoute, otherMethods, refuseMethod } from './mcp.ts'

/** The Model Context Protocol. */
export const mcpApi = (parts: McpParts) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
    .post('/mcp', ({ caller, request, body }) => mcp(parts, caller, request, body), mcpRoute)
    .get('/mcp', refuseMethod, otherMethods)
    .delete('/mcp', refuseMethod, otherMethods)
