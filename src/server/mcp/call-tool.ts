import { violationsOf } from '../../domains/requests/violations.ts'
import { numberPlaces } from '../../formats/dialect/number-places.ts'
import { numbersAt } from '../../formats/wire/json-body.ts'
import { DomainError, ValidationError } from '../../lib/errors.ts'
import type { Log } from '../../runtime/log.ts'
import { newId } from '../../runtime/platform/new-id.ts'
import type { NextStep } from './text/answer-text.ts'
import type { ToolContext } from './tool.ts'
import { cappedArguments } from './tools/arguments.ts'
import { toolsFor } from './tools/tools.ts'

/** The result of a tool call, as MCP transports it. */
export interface ToolResult {
  readonly content: [{ readonly type: 'text'; readonly text: string }]
  readonly isError?: true
  /** The next steps as data, for programs. */
  readonly _meta?: { readonly 'tracelake/next': readonly NextStep[] }
  readonly [member: string]: unknown
}

/** Calls a tool. Whatever goes wrong is an answer that says so: agents read it and try again. */
export async function callTool(context: ToolContext, log: Log, name: string, args: unknown): Promise<ToolResult> {
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

/** What a caller may know about an error. */
function messageOf(error: unknown, log: Log): string {
  if (error instanceof DomainError || error instanceof ValidationError) return error.message
  const errorId = newId()
  log.error({ errorId, err: error }, 'tool call failed')
  return `Internal server error (id ${errorId})`
}
