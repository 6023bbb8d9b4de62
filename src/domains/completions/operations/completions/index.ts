import { Elysia } from 'elysia'
import type { RequestContext } from '../../../requests/request-context.ts'
import type { CompletionsServices } from '../services.ts'
import { createCompletion, createCompletionRoute } from './create-completion.ts'
import { putRuntime, putRuntimeRoute } from './put-runtime.ts'
import { streamCompletion, streamCompletionRoute } from './stream-completion.ts'

/** Questions to models, and endpoints of models. @param nameOf what clients call a member */
export const completionsApi = (services: CompletionsServices, nameOf: (member: string) => string) =>
  new Elysia({ normalize: false })
    .decorate({} as RequestContext)
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
    .put(
      '/v2/:entity/:project/runtimes/:runtime_name',
      ({ caller, params, body }) => putRuntime(services, caller, params, body),
      putRuntimeRoute,
    )
