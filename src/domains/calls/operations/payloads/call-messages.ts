import type { Static } from '@sinclair/typebox'
import { CallMessages, MessagesRequest } from '../../../../formats/schemas/messages.ts'
import type { Caller } from '../../../access/caller.ts'
import type { CallsServices } from '../services.ts'

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
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  { project_id, call_id }: Static<typeof callMessagesRoute.body>,
) {
  return Response.json(await services.messages.ofCall(caller.read(project_id), call_id, signal))
}
