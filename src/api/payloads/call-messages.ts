import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { CallMessages, MessagesRequest } from '../../model/messages.ts'
import type { Services } from '../../services.ts'

export const callMessagesRoute = {
  body: MessagesRequest,
  response: { 200: CallMessages },
  detail: {
    operationId: 'calls.messages',
    readOnly: true,
    summary: 'Get the messages of a call',
    description:
      'Returns the conversation in the inputs and the output of a call in one form, whatever the client sent: chat ' +
      'completions and responses of OpenAI, messages of Anthropic, contents of Gemini, messages of LangChain and of ' +
      "Vercel's AI SDK, and those of OpenTelemetry conventions.",
    tags: ['Calls'],
  },
}

export async function callMessages(
  services: Services,
  caller: Caller,
  { signal }: Request,
  { project_id, call_id }: Static<typeof callMessagesRoute.body>,
) {
  return Response.json(await services.messages.ofCall(caller.read(project_id), call_id, signal))
}
