import { post } from '../api/client.ts'

/** A stored scorer, in its latest version. */
export interface Scorer {
  readonly name: string
  readonly ref: string
}

/** Scorers of a project. @throws {Problem} */
export async function readScorers(projectId: string, signal: AbortSignal): Promise<Scorer[]> {
  const { objs } = await post<{ objs: { object_id: string; digest: string }[] }>(
    '/objs/query',
    { project_id: projectId, filter: { base_object_classes: ['Scorer'], latest_only: true }, metadata_only: true },
    { signal },
  )
  return objs.map(({ object_id, digest }) => ({
    name: object_id,
    ref: `ext:///${projectId}/object/${object_id}:${digest}`,
  }))
}

/** Starts to score calls on the server. @throws {Problem} */
export const scoreCalls = (projectId: string, ids: readonly string[], ref: string): Promise<unknown> =>
  post('/calls/score', { project_id: projectId, call_ids: ids, scorer_refs: [ref] })
