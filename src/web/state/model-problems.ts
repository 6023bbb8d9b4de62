import { post } from '../api/client.ts'
import { settled } from './settled.ts'

/** Models that the server checks at once. */
const checkedMax = 64
const typingMs = 250

interface Checked {
  readonly model: string
  readonly error: string | null
}

/**
 * Reads why models cannot be called, such as for a missing API key.
 *
 * @param waitMs how long it waits for a name that somebody is typing
 * @returns by model
 */
export const modelProblemsQuery = (projectId: string, models: readonly string[], waitMs = typingMs) => ({
  queryKey: ['model problems', projectId, models],
  enabled: models.length > 0,
  staleTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, string>> => {
    await settled(waitMs, signal)
    const problems = new Map<string, string>()
    for (let from = 0; from < models.length; from += checkedMax) {
      const body = { project_id: projectId, models: models.slice(from, from + checkedMax) }
      const answer = await post<{ models: readonly Checked[] }>('/completions/check', body, { signal })
      for (const { model, error } of answer.models) if (error !== null) problems.set(model, error)
    }
    return problems
  },
})
