import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Content = Type.Union([Type.String(), Type.Null()])

const ToolCall = Type.Object({
  id: Type.String(),
  type: Type.Literal('function'),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
})

/** A message in the form of the OpenAI chat API. */
const Message = Type.Union([
  Type.Object({ role: Type.Union([Type.Literal('system'), Type.Literal('user')]), content: Content }),
  Type.Object({ role: Type.Literal('assistant'), content: Content, tool_calls: Type.Optional(Type.Array(ToolCall)) }),
  Type.Object({ role: Type.Literal('tool'), tool_call_id: Type.String(), name: Type.String(), content: Type.String() }),
])

/**
 * One recorded conversation of τ-bench: a simulated traveller talks to an airline's agent, which
 * uses tools.
 */
const Conversation = Type.Object({
  task_id: Type.Integer(),
  trial: Type.Integer(),
  reward: Type.Number(),
  info: Type.Object({
    task: Type.Object({ user_id: Type.String(), instruction: Type.String(), actions: Type.Array(Type.Unknown()) }),
  }),
  traj: Type.Array(Message),
})

const Conversations = Type.Array(Conversation)

export type Message = Static<typeof Message>
export type AssistantMessage = Extract<Message, { role: 'assistant' }>
export type ToolMessage = Extract<Message, { role: 'tool' }>
export type ToolCall = Static<typeof ToolCall>
export type Conversation = Static<typeof Conversation>

/** @throws Error naming the first place where `json` is not a list of recorded conversations. */
export function parseConversations(json: unknown): Conversation[] {
  if (Value.Check(Conversations, json)) return json
  const first = Value.Errors(Conversations, json).First()
  throw new Error(`Read the conversations: ${first?.path || '/'}: ${first?.message}`)
}
