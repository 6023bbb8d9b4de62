import { post } from '../api/client.ts'
import { settled } from './settled.ts'

/** Models that are checked at once; those after them are not. */
export const checkedMax = 64
const typingMs = 250

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
    const body = { project_id: projectId, models: models.slice(0, checkedMax) }
    const answer = await post<{ models: { model: string; error: string | null }[] }>('/completions/check', body, {
      signal,
    })
    return new Map(answer.models.flatMap(({ model, error }) => (error === null ? [] : [[model, error]])))
  },
})
