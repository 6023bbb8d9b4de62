import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CallMessages, MessagesRequest } from '../../../../formats/schemas/messages.ts'
import type { Caller } from '../../../access/index.ts'
import { requestContext } from '../../../requests/index.ts'
import { PayloadSizes, SizesRequest, ValueRequest, ValueText } from '../../model/payloads.ts'
import type { CallsServices } from '../services.ts'

const callMessagesRoute = {
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

async function callMessages(
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  { project_id, call_id }: Static<typeof callMessagesRoute.body>,
) {
  return Response.json(await services.messages.ofCall(caller.read(project_id), call_id, signal))
}

const callValueRoute = {
  body: ValueRequest,
  response: { 200: ValueText },
  detail: {
    operationId: 'calls.value',
    readOnly: true,
    summary: 'Get a piece of the payload of a call',
    description:
      'Returns the JSON text of inputs, output, attributes or summary, or of a value inside, exactly as stored. ' +
      'Long texts are returned in pieces: continue at `next_offset`.',
    tags: ['Calls'],
  },
}

async function callValue(
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  body: Static<typeof callValueRoute.body>,
) {
  return Response.json(await services.payloads.value(caller.read(body.project_id), body, signal))
}

const callSizesRoute = {
  body: SizesRequest,
  response: { 200: PayloadSizes },
  detail: {
    operationId: 'calls.sizes',
    readOnly: true,
    summary: 'Get the sizes of the payload of a call',
    description: 'Lengths of the texts that `/call/value` returns.',
    tags: ['Calls'],
  },
}

const callSizes = (
  services: CallsServices,
  caller: Caller,
  { signal }: Request,
  { project_id, call_id }: Static<typeof callSizesRoute.body>,
) => services.payloads.sizes(caller.read(project_id), call_id, signal)

/** Operations on the payload of one call. */
export const payloadsApi = (services: CallsServices) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/call/messages',
      ({ caller, request, body }) => callMessages(services, caller, request, body),
      callMessagesRoute,
    )
    .post('/call/sizes', ({ caller, request, body }) => callSizes(services, caller, request, body), callSizesRoute)
    .post('/call/value', ({ caller, request, body }) => callValue(services, caller, request, body), callValueRoute)
