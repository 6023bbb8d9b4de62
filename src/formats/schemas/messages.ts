import { type Static, Type } from '@sinclair/typebox'
import { ProjectId } from '../../lib/project-id.ts'
import { NullableText, OpenObject } from './members.ts'

export const MessagesRequest = OpenObject({ project_id: ProjectId, call_id: Type.String() })
export type MessagesRequest = Static<typeof MessagesRequest>

const text = (description: string) => Type.String({ description })
const Media = (type: 'image' | 'audio' | 'file') =>
  Type.Object({
    type: Type.Literal(type),
    digest: Type.Union([Type.String(), Type.Null()], { description: 'Digest of a file of the project' }),
    url: NullableText,
    media_type: NullableText,
    data: Type.Union([Type.String(), Type.Null()], { description: 'Base64' }),
  })

/** A piece of a message. */
export const MessagePart = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }),
  Type.Object({ type: Type.Literal('reasoning'), text: Type.String() }),
  Type.Object({
    type: Type.Literal('tool_call'),
    id: NullableText,
    name: Type.String(),
    arguments: text('JSON text'),
  }),
  Type.Object({
    type: Type.Literal('tool_result'),
    id: Type.Union([Type.String(), Type.Null()], { description: 'Id of the tool call' }),
    name: NullableText,
    content: text('Plain text, or JSON text of anything else'),
    is_error: Type.Boolean(),
  }),
  Media('image'),
  Media('audio'),
  Media('file'),
  Type.Object({ type: Type.Literal('json'), text: text('JSON text of a part of an unknown kind') }),
])
export type MessagePart = Static<typeof MessagePart>
export type MediaPart = Extract<MessagePart, { readonly url: unknown }>

/** A message, independent of the provider. */
export const Message = Type.Object({
  source: Type.Union([Type.Literal('inputs'), Type.Literal('output')]),
  role: text('`system`, `user`, `assistant`, `tool`, or a role of the provider'),
  name: NullableText,
  parts: Type.Array(MessagePart),
})
export type Message = Static<typeof Message>

/** A tool that a model may call. */
export const MessageTool = Type.Object({ name: Type.String(), description: NullableText })
export type MessageTool = Static<typeof MessageTool>

/** The conversation in the payload of a call. */
export const CallMessages = Type.Object({
  messages: Type.Array(Message, { description: 'Empty if the call has none' }),
  model: NullableText,
  tools: Type.Array(MessageTool),
  is_truncated: Type.Boolean({ description: 'Whether messages or texts were left out because of their size' }),
})
export type CallMessages = Static<typeof CallMessages>
