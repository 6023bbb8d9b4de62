import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ProjectPath, projectOfPath } from '../../../../formats/body/project-path.ts'
import { NullableText, OpenObject } from '../../../../formats/schemas/members.ts'
import { byteStream } from '../../../../formats/wire/byte-stream.ts'
import { providerLimits } from '../../../../lib/limits/providers.ts'
import { ProjectId } from '../../../../lib/project-id.ts'
import type { Caller } from '../../../access/index.ts'
import { describeJsonLines, requestContext } from '../../../requests/index.ts'
import type { CompletionParams, CompletionPiece, KeptCompletion } from '../../completions.ts'
import { CompletionAnswer, CompletionLine, CompletionRequest } from '../../model/completions.ts'
import { Runtime, RuntimeName, RuntimePut, Runtimes } from '../../model/inference.ts'
import type { CompletionsServices } from '../services.ts'

/** The request in the terms of the service. */
const requestOf = (request: CompletionRequest): CompletionParams => ({
  inputs: request.inputs,
  track: request.track_llm_call ?? true,
  retries: request.retry ?? true,
  traceId: request.trace_id,
  parentId: request.parent_id,
  conversationId: request.conversation_id,
  attributes: Object.fromEntries(
    Object.entries({ conversation_name: request.conversation_name, source: request.source }).filter(
      ([, value]) => value != null,
    ),
  ),
})

/**
 * Ids of a tracked completion in the terms of the API. A completion is one span, and its call has
 * the same id.
 */
const idsOf = (kept: KeptCompletion | undefined) => ({
  ext_call_id: kept?.callId ?? null,
  span_id: kept?.callId ?? null,
  trace_id: kept?.traceId ?? null,
  conversation_id: kept?.conversationId ?? null,
})

const createDescription =
  'Sends a chat completion request to a model provider and records it as a call. Errors of the provider, an ' +
  'unknown provider and a missing API key are reported in `response.error` with status 200.'

const createCompletionRoute = {
  body: CompletionRequest,
  response: { 200: CompletionAnswer },
  detail: {
    operationId: 'completions.create',
    idempotencyKey: true,
    summary: 'Create a completion',
    description: createDescription,
    tags: ['Completions'],
  },
}

async function createCompletion(
  services: CompletionsServices,
  caller: Caller,
  signal: AbortSignal,
  body: CompletionRequest,
): Promise<CompletionAnswer> {
  const writer = caller.write(body.project_id)
  const { response, kept } = await services.completions.complete(writer, requestOf(body), { signal })
  return { response, ...idsOf(kept) }
}

const description =
  'JSON Lines: `{"_meta": {…}}` with the ids of the call if it is tracked, then the provider\'s ' +
  '`chat.completion.chunk` objects as they arrive; the last one carries the usage. An error is sent as a ' +
  'line `{"error": text}`, which ends the stream; `provider_answer` in it has the status and the body of an error ' +
  'that the provider answered.'

const streamCompletionRoute = {
  body: CompletionRequest,
  detail: {
    ...createCompletionRoute.detail,
    operationId: 'completions.createStream',
    summary: 'Create a completion (stream)',
    description,
    responses: describeJsonLines('Completion chunks, one per line', CompletionLine),
  },
}

/** @param nameOf names the members of the first line; the chunks are the provider's own */
async function streamCompletion(
  services: CompletionsServices,
  caller: Caller,
  nameOf: (member: string) => string,
  body: CompletionRequest,
): Promise<Response> {
  const writer = caller.write(body.project_id)
  const abort = new AbortController()
  const pieces = services.completions.stream(writer, requestOf(body), { signal: abort.signal })
  return new Response(await byteStream(linesOf(pieces, nameOf), abort), {
    headers: { 'content-type': 'application/jsonl' },
  })
}

const encoder = new TextEncoder()

async function* linesOf(
  pieces: AsyncGenerator<CompletionPiece>,
  nameOf: (member: string) => string,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield encoder.encode(`${JSON.stringify(lineOf(piece, nameOf))}\n`)
}

function lineOf(piece: CompletionPiece, nameOf: (member: string) => string): object {
  switch (piece.kind) {
    case 'kept': {
      const ids = Object.entries(idsOf(piece.kept)).map(([name, id]) => [nameOf(name), id])
      return { _meta: Object.fromEntries(ids) }
    }
    case 'chunk':
      return piece.chunk
    case 'error':
      return { error: piece.error, ...(piece.answer && { provider_answer: piece.answer }) }
  }
}

const checkModelsRoute = {
  body: OpenObject({
    project_id: ProjectId,
    models: Type.Array(Type.String({ minLength: 1 }), {
      maxItems: providerLimits.checkedModelsMax,
      description: 'Values of `inputs.model` of completions',
    }),
  }),
  response: {
    200: Type.Object({
      models: Type.Array(Type.Object({ model: Type.String(), error: NullableText }), {
        description: '`error`: why a completion would be refused, such as a missing API key; null if it would be sent',
      }),
    }),
  },
  detail: {
    operationId: 'completions.check',
    readOnly: true,
    summary: 'Check whether models can be called',
    description: 'Looks for the provider of each model and its API key. Nothing is sent to the provider.',
    tags: ['Completions'],
  },
}

async function checkModels(
  services: CompletionsServices,
  caller: Caller,
  { project_id, models }: Static<typeof checkModelsRoute.body>,
) {
  const reader = caller.read(project_id)
  const check = async (model: string) => ({
    model,
    error: (await services.completions.problemOf(reader, model)) ?? null,
  })
  return { models: await Promise.all(models.map(check)) }
}

const putRuntimeRoute = {
  params: Type.Composite([ProjectPath, Type.Object({ runtime_name: RuntimeName })]),
  body: RuntimePut,
  response: { 200: Runtime },
  detail: {
    operationId: 'runtimes.put',
    idempotencyKey: true,
    summary: 'Configure a custom model endpoint',
    description:
      'Creates a Provider object and one ProviderModel object per model. Models that are not listed are ' +
      'deleted. Repeating the request has no further effect.',
    tags: ['Completions'],
  },
}

const putRuntime = (
  services: CompletionsServices,
  caller: Caller,
  params: Static<typeof putRuntimeRoute.params>,
  body: RuntimePut,
): Promise<Runtime> => services.runtimes.put(caller.write(projectOfPath(params)), params.runtime_name, body)

const listRuntimesRoute = {
  params: ProjectPath,
  response: { 200: Runtimes },
  detail: {
    operationId: 'runtimes.list',
    summary: 'List custom model endpoints',
    description: 'Those that `PUT` stored, and those that clients stored as Provider and ProviderModel objects.',
    tags: ['Completions'],
  },
}

const listRuntimes = async (
  services: CompletionsServices,
  caller: Caller,
  params: Static<typeof listRuntimesRoute.params>,
) => ({ runtimes: await services.runtimes.list(caller.read(projectOfPath(params))) })

const deleteRuntimeRoute = {
  params: putRuntimeRoute.params,
  response: { 200: Type.Object({ num_deleted: Type.Integer({ description: 'Number of deleted object versions' }) }) },
  detail: {
    operationId: 'runtimes.delete',
    summary: 'Delete a custom model endpoint',
    description:
      'Deletes its Provider object and the ProviderModel objects of its models. Calls that used it are kept.',
    tags: ['Completions'],
  },
}

const deleteRuntime = async (
  services: CompletionsServices,
  caller: Caller,
  params: Static<typeof deleteRuntimeRoute.params>,
) => ({ num_deleted: await services.runtimes.delete(caller.write(projectOfPath(params)), params.runtime_name) })

/** Questions to models, and endpoints of models. @param nameOf what clients call a member */
export const completionsApi = (services: CompletionsServices, nameOf: (member: string) => string) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post(
      '/completions/create',
      ({ caller, request, body }) => createCompletion(services, caller, request.signal, body),
      createCompletionRoute,
    )
    .post(
      '/completions/create_stream',
      ({ caller, body }) => streamCompletion(services, caller, nameOf, body),
      streamCompletionRoute,
    )
    .post('/completions/check', ({ caller, body }) => checkModels(services, caller, body), checkModelsRoute)
    .put(
      '/v2/:entity/:project/runtimes/:runtime_name',
      ({ caller, params, body }) => putRuntime(services, caller, params, body),
      putRuntimeRoute,
    )
    .get(
      '/v2/:entity/:project/runtimes',
      ({ caller, params }) => listRuntimes(services, caller, params),
      listRuntimesRoute,
    )
    .delete(
      '/v2/:entity/:project/runtimes/:runtime_name',
      ({ caller, params }) => deleteRuntime(services, caller, params),
      deleteRuntimeRoute,
    )
