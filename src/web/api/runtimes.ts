import type { Runtime, RuntimePut } from '../../domains/completions/index.ts'
import { apiUrl } from './api-request.ts'
import { send, sendJson } from './client.ts'

/** A model server or gateway of a project, with its models. */
export type { Runtime }

/** Reads the runtimes of a project, for the query cache. */
export const runtimesQuery = (projectId: string | undefined) => ({
  queryKey: ['runtimes', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Runtime[]> => {
    const answer = await send(apiUrl(listPath(projectId ?? '')), { credentials: 'same-origin', signal })
    const { runtimes }: { runtimes: Runtime[] } = await answer.json()
    return runtimes
  },
})

/** Stores a runtime, or replaces all that is stored of it. @throws {Problem} */
export const putRuntime = (projectId: string, name: string, wanted: RuntimePut): Promise<unknown> =>
  sendJson('PUT', pathOf(projectId, name), wanted)

/** Deletes a runtime with its models. @throws {Problem} */
export const deleteRuntime = (projectId: string, name: string): Promise<unknown> =>
  sendJson('DELETE', pathOf(projectId, name))

const listPath = (projectId: string): string => `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/runtimes`

const pathOf = (projectId: string, name: string): string => `${listPath(projectId)}/${encodeURIComponent(name)}`
