import type { Caller } from '../../../access/index.ts'
import { CompletionAnswer, CompletionRequest } from '../../model/completions.ts'
import type { CompletionsServices } from '../services.ts'
import { idsOf, requestOf } from './completion-request.ts'

const description =
  'Sends a chat completion request to a model provider and records it as a call. Errors of the provider, an ' +
  'unknown provider and a missing API key are reported in `response.error` with status 200.'

export const createCompletionRoute = {
  body: CompletionRequest,
  response: { 200: CompletionAnswer },
  detail: {
    operationId: 'completions.create',
    idempotencyKey: true,
    summary: 'Create a completion',
    description,
    tags: ['Completions'],
  },
}

export async function createCompletion(
  services: CompletionsServices,
  caller: Caller,
  signal: AbortSignal,
  body: CompletionRequest,
): Promise<CompletionAnswer> {
  const writer = caller.write(body.project_id)
  const { response, kept } = await services.completions.complete(writer, requestOf(body), { signal })
  return { response, ...idsOf(kept) }
}
