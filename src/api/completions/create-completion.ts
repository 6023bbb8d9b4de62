import type { Caller } from '../../foundation/access/caller.ts'
import { CompletionAnswer, CompletionRequest } from '../../model/completions.ts'
import type { Services } from '../../services.ts'
import { idsOf, questionOf } from './completion-question.ts'

const description = `Asks a model of a provider and keeps question and answer as a call. Without a key, without such a provider, or where the provider
fails, the answer is still 200 and \`response.error\` says what is wrong.`

export const createCompletionRoute = {
  body: CompletionRequest,
  response: { 200: CompletionAnswer },
  detail: { operationId: 'completions.create', summary: 'Ask a model', description, tags: ['Completions'] },
}

export async function createCompletion(
  services: Services,
  caller: Caller,
  signal: AbortSignal,
  body: CompletionRequest,
): Promise<CompletionAnswer> {
  const writer = caller.write(body.project_id)
  const { response, kept } = await services.completions.complete(writer, questionOf(body), { signal })
  return { response, ...idsOf(kept) }
}
