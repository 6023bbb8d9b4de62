import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { violationsOf } from '../../formats/body/violations.ts'
import { numberPlaces } from '../../formats/dialect/number-places.ts'
import { numbersAt } from '../../formats/wire/json-body.ts'
import { DomainError, quoted, ValidationError } from '../../lib/errors.ts'
import { version } from '../../lib/version.ts'
import type { Log } from '../../runtime/log.ts'
import { readGuideFiles } from '../../runtime/platform/files/guide-files.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import { describeTables } from './schema-text.ts'
import type { NextStep } from './text/answer-text.ts'
import type { ToolContext } from './tool.ts'
import { cappedArguments } from './tools/arguments.ts'
import { toolsFor } from './tools/tools.ts'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly text: (args: Readonly<Record<string, string>>) => string
}

const project = { name: 'project', description: 'The project, as entity/project', required: true }

const inProject = (args: Readonly<Record<string, string>>): string => `the tracelake project "${args['project'] ?? ''}"`

const wantedTrace = (args: Readonly<Record<string, string>>): string =>
  args['trace_id'] ? `the trace ${args['trace_id']}` : 'the newest failed trace'

/** Questions that users ask again and again, with the way to their answers. */
const prompts: readonly Prompt[] = [
  {
    name: 'why_did_this_trace_fail',
    title: 'Why did this trace fail?',
    description: 'Finds the cause of a failed or wrong trace',
    arguments: [
      project,
      { name: 'trace_id', description: 'The trace; the newest failed one if omitted', required: false },
    ],
    text: (args) =>
      `Find out why ${wantedTrace(args)} of ${inProject(args)} failed.\n` +
      '1. Without a trace id: `search_calls` with status "error"; if none failed, look for roots whose output tells ' +
      'of a failure (low scores, rewards, refusals) with `search_calls` and roots_only.\n' +
      '2. `get_trace` shows the tree, the result of the root and the errors.\n' +
      '3. `get_call` on the failed call, then on the call before it: what was it given, and who decided that? A ' +
      'call can be wrong without an error: compare what was asked with what was done.\n' +
      '4. `search_calls` with the same op or error tells whether it happens elsewhere.\n' +
      'Answer with the cause, the call id that proves it, how often it happens, and a fix. Quote as little as you can.',
  },
  {
    name: 'where_does_the_money_go',
    title: 'Where does the money go?',
    description: 'Finds what causes the cost of a project',
    arguments: [
      project,
      { name: 'since', description: 'Beginning of the time to look at, as ISO 8601', required: false },
    ],
    text: (args) =>
      `Find out where the money goes in ${inProject(args)}${args['since'] ? ` since ${args['since']}` : ''}.\n` +
      '1. `stats` with group_by "model", then with group_by "op_name".\n' +
      '2. `stats` with group_by "thread_id" (or a path such as "attributes.customer") finds the expensive ones; ' +
      'with bucket "day" it shows when.\n' +
      '3. `get_trace` on an expensive one: input tokens that grow from call to call are a conversation that is sent ' +
      'again each time; cached tokens in brackets cost less.\n' +
      'Answer with the largest items in dollars and percent, their cause, and what would save most.',
  },
]

/** @throws DomainError NotFound; InvalidRequest without a required argument */
function promptNamed(name: string, args: Readonly<Record<string, string>>) {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) throw new DomainError('NotFound', `There is no prompt ${quoted(name)}`)
  const missing = prompt.arguments.find((argument) => argument.required && !args[argument.name])
  if (missing)
    throw new DomainError('InvalidRequest', `The prompt ${quoted(name)} requires the argument \`${missing.name}\``)
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(args) } }],
  }
}

/** The result of a tool call, as MCP transports it. */
interface ToolResult {
  readonly content: [{ readonly type: 'text'; readonly text: string }]
  readonly isError?: true
  /** The next steps as data, for programs. */
  readonly _meta?: { readonly 'tracelake/next': readonly NextStep[] }
  readonly [member: string]: unknown
}

/** Calls a tool. Whatever goes wrong is an answer that says so: agents read it and try again. */
async function callTool(context: ToolContext, log: Log, name: string, args: unknown): Promise<ToolResult> {
  const tool = toolsFor(context.caller).find((one) => one.name === name)
  if (tool === undefined) {
    const names = toolsFor(context.caller).map((one) => one.name)
    return failure(`There is no tool "${name.slice(0, 80)}" for this key; the tools are ${names.join(', ')}`)
  }
  const sent = numbersAt(numberPlaces(tool.input), args ?? {})
  const { args: given, notes } = cappedArguments(tool.input, sent)
  const [violation] = violationsOf(tool.input, given, 'arguments')
  if (violation !== undefined) return failure(`Invalid ${violation.loc.join('.')}: ${violation.msg}`)
  try {
    const { text, next } = await tool.answer(context, given)
    return { content: [{ type: 'text', text: [...notes, text].join('\n') }], _meta: { 'tracelake/next': next } }
  } catch (error) {
    return failure(messageOf(error, log))
  }
}

const failure = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** The part of an error that a caller may see. */
function messageOf(error: unknown, log: Log): string {
  if (error instanceof DomainError || error instanceof ValidationError) return error.message
  const errorId = newId()
  log.error({ errorId, err: error }, 'tool call failed')
  return `Internal server error (id ${errorId})`
}

/** Text that agents may put into their context as a whole. */
const resources = [
  {
    uri: 'tracelake://schema',
    name: 'schema',
    title: 'Tables and columns for SQL',
    mimeType: 'text/markdown',
  },
  {
    uri: 'tracelake://guide/questions.md',
    name: 'query-language',
    title: 'Querying calls, and the query language',
    mimeType: 'text/markdown',
  },
] as const

/** @throws DomainError NotFound */
async function readResource(uri: string) {
  const text = await textAt(uri)
  if (text === undefined) throw new DomainError('NotFound', `There is no resource ${quoted(uri)}`)
  return { uri, mimeType: 'text/markdown', text }
}

async function textAt(uri: string): Promise<string | undefined> {
  if (uri === 'tracelake://schema') return describeTables()
  const page = /^tracelake:\/\/guide\/([\w-]+\.md)$/.exec(uri)?.[1]
  return page === undefined ? undefined : (await readGuideFiles()).get(page)
}

const instructions =
  'tracelake stores traces of LLM applications: a trace is a tree of calls with inputs, output, tokens and cost. ' +
  'Begin with `overview`. Answers are short and end with next steps; follow them instead of asking for everything.'

/**
 * Answers one request of the Model Context Protocol. Nothing is kept between requests. See
 * docs/decisions/115-tools-for-agents.md.
 */
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
  inputSchema: input,
  annotations: { readOnlyHint: !writes, destructiveHint: false, idempotentHint: !writes, openWorldHint: false },
})
