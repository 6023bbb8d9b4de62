import { Command } from 'commander'
import { DomainError } from '../../lib/errors.ts'
import { ConfigError } from '../../runtime/config/config-error.ts'
import { environmentVariable } from '../../runtime/platform/runtime.ts'
import { print, run } from '../run.ts'
import { type ToolCommand, toolCommands } from './words.ts'

/** Address of a server and how requests to it are made. */
interface Server {
  readonly url: string
  readonly key: string
}

/** A call of a tool that an answer recommends. */
interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly why: string
}

interface Response {
  readonly error?: { readonly message?: string }
  readonly result?: {
    readonly content: readonly { readonly text: string }[]
    readonly isError?: boolean
    readonly _meta?: { readonly 'tracelake/next'?: readonly Step[] }
  }
}

/**
 * Calls a tool for agents.
 *
 * @throws DomainError InvalidRequest with what the server answers; Error if it cannot be reached
 */
async function callTool(
  { url, key }: Server,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ text: string; next: readonly Step[] }> {
  const address = `${url.replace(/\/+$/, '')}/mcp`
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  }).catch((cause: unknown) => {
    throw new Error(`Cannot reach the server at ${address}; pass --url or set TRACELAKE_URL`, { cause })
  })
  const body = await answer.text()
  const { result, error } = parseResponse(body)
  if (result === undefined) {
    const why = error?.message ?? (answer.status === 401 ? 'the API key is not valid' : body.slice(0, 300))
    throw new DomainError('InvalidRequest', `Ask ${address}: ${why} (status ${answer.status})`)
  }
  const text = result.content.map((part) => part.text).join('\n')
  if (result.isError === true) throw new DomainError('InvalidRequest', text)
  return { text, next: result._meta?.['tracelake/next'] ?? [] }
}

/** The response, which comes as JSON or as one server-sent event. */
function parseResponse(body: string): Response {
  const event = body.split('\n').find((line) => line.startsWith('data: '))
  try {
    const response: Response = JSON.parse(event === undefined ? body : event.slice('data: '.length))
    return response
  } catch {
    return {}
  }
}

/** The tools for agents as commands, which ask a server. */
export const agentToolCommands = (): Command[] => toolCommands.map(commandOf)

function commandOf(spec: ToolCommand): Command {
  const command = new Command(spec.name).description(`${spec.description} (needs a running server)`)
  for (const { syntax, description } of spec.positional) command.argument(syntax, description)
  for (const { syntax, description } of spec.options) command.option(syntax, description)
  return command
    .option('--project <name>', 'entity/project (TRACELAKE_PROJECT)')
    .option('--url <address>', 'address of the server (TRACELAKE_URL, default http://127.0.0.1:8470)')
    .option('--key <key>', 'API key (TRACELAKE_KEY)')
    .action((...given: unknown[]) => run(command, () => answer(command, spec, given)))
}

async function answer(self: Command, spec: ToolCommand, given: readonly unknown[]): Promise<void> {
  const options = self.opts<Record<string, unknown> & { key?: string; project?: string; url?: string }>()
  const setting = (name: 'key' | 'project' | 'url') =>
    options[name] ?? environmentVariable(`TRACELAKE_${name.toUpperCase()}`)
  const key = setting('key')
  if (key === undefined) throw new ConfigError('an API key is required: pass --key or set TRACELAKE_KEY')
  const project = setting('project')
  const args: Record<string, unknown> = { ...(project !== undefined && { project }) }
  for (const [at, word] of spec.positional.entries()) add(args, word, given[at])
  for (const word of spec.options) add(args, word, options[optionName(word.syntax)])
  const { text, next } = await callTool({ url: setting('url') ?? 'http://127.0.0.1:8470', key }, spec.tool, args)
  const lines = text.split('\n')
  const steps = lines.slice(lines.length - next.length)
  // The answer ends with its next steps as tool calls; here they are commands.
  const body = steps.every((line) => line.startsWith('Next: ')) ? lines.slice(0, lines.length - next.length) : lines
  print(self, ...body, ...next.map(nextLine))
}

function add(args: Record<string, unknown>, word: ToolCommand['options'][number], value: unknown): void {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return
  args[word.argument] = parsed(word, value)
}

function parsed({ as, syntax }: ToolCommand['options'][number], value: unknown): unknown {
  if (as === 'words') return Array.isArray(value) ? value.join(' ') : value
  if (as === 'number') {
    const number = Number(value)
    if (Number.isInteger(number)) return number
    throw new ConfigError(`${syntax} takes an integer, not "${value}"`)
  }
  if (as !== 'json') return value
  try {
    return JSON.parse(String(value))
  } catch {
    throw new ConfigError(`${syntax} takes JSON, not "${value}"`)
  }
}

/** The flag without its value: `--group-by`. */
const flagOf = (syntax: string): string => syntax.replace(/ .*/, '')

/** As Commander names the value of `--group-by <field>`: `groupBy`. */
const optionName = (syntax: string): string =>
  flagOf(syntax)
    .slice(2)
    .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function nextLine({ tool, args, why }: Step): string {
  const spec = toolCommands.find((one) => one.tool === tool)
  if (spec === undefined) return ''
  const words = [
    ...spec.positional.flatMap(({ argument }) => textsOf(args[argument])),
    ...spec.options.flatMap(({ argument, syntax }) => {
      const value = args[argument]
      const flag = flagOf(syntax)
      return value === undefined
        ? []
        : value === true
          ? [flag]
          : [flag, ...textsOf(value, !Array.isArray(value) || argument === 'after')]
    }),
    ...(args['project'] === undefined ? [] : ['--project', String(args['project'])]),
  ]
  return `Next: tracelake ${[spec.name, ...words.map(quotedWord)].join(' ')}   # ${why}`
}

function textsOf(value: unknown, isWhole = false): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && !isWhole) return value.map(String)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}

/** A word as a shell reads it back. */
const quotedWord = (word: string): string => (/^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
