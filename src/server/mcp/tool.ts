import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Caller } from '../../domains/access/index.ts'
import type { Services } from '../services.ts'
import type { Answer } from './text/answer-text.ts'

/** The caller that a tool works for. */
export interface ToolContext {
  readonly services: Services
  readonly caller: Caller
  /** The project if a call names none. */
  readonly defaultProject: string | undefined
  readonly signal: AbortSignal
}

/** An operation in words that agents understand, whose answer is a short text. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: TObject
  /** Whether it changes something: keys with the role `read` do not see it. */
  readonly writes: boolean
  /** @param args already checked against `input` */
  answer(context: ToolContext, args: unknown): Promise<Answer>
}

/** A tool whose arguments have the type of its input. */
export const defineTool = <Input extends TObject>(tool: {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly writes?: true
  readonly answer: (context: ToolContext, args: Static<Input>) => Promise<Answer>
}): Tool => ({
  ...tool,
  writes: tool.writes === true,
  answer: (context, args) => {
    if (!Value.Check(tool.input, args)) throw new TypeError(`The arguments of ${tool.name} are not checked`)
    return tool.answer(context, args)
  },
})
