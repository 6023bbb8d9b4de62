import type { RunList } from '../../domains/evaluations/index.ts'
import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'

/** Calls that are looked at, and runs that a judge check compares. */
const callsMax = 500
const runsMax = 10
/** A prediction is a child of a trial, which is a child of a run. */
const levels = 2

/** The evaluation runs that calls are predictions or trials of. @throws {Problem} */
export async function runsOfCalls(projectId: string, callIds: readonly string[]): Promise<readonly string[]> {
  const above = new Set<string>()
  let ids: readonly string[] = callIds.slice(0, callsMax)
  for (let level = 0; level < levels && ids.length > 0; level++) {
    const body = { project_id: projectId, filter: { call_ids: ids }, columns: ['id', 'parent_id'], omit_null: true }
    const calls = await postRows<{ readonly id: string; readonly parent_id?: string }>('/calls/stream_query', body)
    ids = [...new Set(calls.flatMap(({ parent_id }) => parent_id ?? []))]
    for (const id of ids) above.add(id)
  }
  const wanted = [...above].slice(-callsMax)
  if (wanted.length === 0) return []
  const body = { project_id: projectId, evaluation_call_ids: wanted }
  const { runs } = await post<RunList>('/evaluations/runs/query', body)
  return runs.slice(0, runsMax).map(({ evaluation_call_id }) => evaluation_call_id)
}
