import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { version } from '../../lib/version.ts'
import type { Log } from '../../runtime/log.ts'
import { callTool } from './call-tool.ts'
import { promptNamed, prompts } from './prompts.ts'
import { readResource, resources } from './resources.ts'
import type { ToolContext } from './tool.ts'
import { toolsFor } from './tools/tools.ts'

const instructions =
  'tracelake stores traces of LLM applications: a trace is a tree of calls with inputs, output, tokens and cost. ' +
  'Begin with `overview`. Answers are short and end with next steps; follow them instead of asking for everything.'

/** Answers one request of the Model Context Protocol. Nothing is kept between requests. */
export async function answerMcp(
  request: Request,
  body: unknown,
  { context, log }: { context: ToolContext; log: Log },
): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(context, log), { keepAliveMs: 0 })
  return await handler.fetch(request, { parsedBody: body })
}

function serverFor(context: ToolContext, log: Log): Server {
  const server = new Server(
    { name: 'tracelake', title: 'tracelake', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({ tools: toolsFor(context.caller).map(describeTool) }))
  server.setRequestHandler('tools/call', ({ params }) => callTool(context, log, params.name, params.arguments))
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params }) => ({ contents: [await readResource(params.uri)] }))
  server.setRequestHandler('prompts/list', () => ({ prompts: prompts.map(({ text: _, ...prompt }) => prompt) }))
  server.setRequestHandler('prompts/get', ({ params }) => promptNamed(params.name, params.arguments ?? {}))
  return server
}

const describeTool = ({ name, title, description, input, writes }: ReturnType<typeof toolsFor>[number]) => ({
  ...{ name, title, description },
  inputSchema: input as unknown as { type: 'object' },
  annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: false },
})
