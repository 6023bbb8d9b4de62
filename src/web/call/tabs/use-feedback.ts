import { post } from '../../api/client.ts'
import type { ScoreValue } from '../../format/score-type.ts'
import { queries, useQuery } from '../../state/query-signal.ts'

/** Feedback on a call as stored. */
export interface Feedback {
  readonly id: string
  readonly feedback_type: string
  readonly creator: string | null
  readonly created_at: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly ext_user_id: string | null
  readonly runnable_ref: string | null
  readonly annotation_ref: string | null
}

const feedbackMax = 200
const fields = [
  'id',
  'feedback_type',
  'creator',
  'created_at',
  'payload',
  'ext_user_id',
  'runnable_ref',
  'annotation_ref',
]

/** Ref of a call, as feedback names what it is about. */
export const callRef = (projectId: string, callId: string): string => `ext:///${projectId}/call/${callId}`

const keyOf = (projectId: string, callId: string) => ['feedback', projectId, callId]

/** Feedback on a call, oldest first. */
export function useFeedback(projectId: string, callId: string) {
  return useQuery<readonly Feedback[]>({
    queryKey: keyOf(projectId, callId),
    queryFn: async ({ signal }) => {
      const about = { $eq: [{ $getField: 'ext_ref' }, { $literal: callRef(projectId, callId) }] }
      const body = { project_id: projectId, query: { $expr: about }, fields, limit: feedbackMax }
      return (await post<{ result: Feedback[] }>('/feedback/query', body, { signal })).result
    },
  })
}

/** Value of the newest score of that name; undefined without one. @throws {Problem} */
export async function newestScore(projectId: string, name: string): Promise<ScoreValue | undefined> {
  const body = {
    project_id: projectId,
    query: { $expr: { $eq: [{ $getField: 'feedback_type' }, { $literal: name }] } },
    fields: ['id', 'payload'],
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: 1,
  }
  const [newest] = (await post<{ result: Pick<Feedback, 'payload'>[] }>('/feedback/query', body)).result
  const value = newest?.payload['value']
  return isScoreValue(value) ? value : undefined
}

const isScoreValue = (value: unknown): value is ScoreValue => ['number', 'boolean', 'string'].includes(typeof value)

/** Stores feedback on a call. @throws {Problem} */
export async function addFeedback(
  projectId: string,
  callId: string,
  type: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await post('/feedback/create', {
    project_id: projectId,
    ext_ref: callRef(projectId, callId),
    feedback_type: type,
    payload,
  })
  await queries.invalidateQueries({ queryKey: keyOf(projectId, callId) })
}

/** Deletes feedback permanently. @throws {Problem} */
export async function removeFeedback(projectId: string, callId: string, feedback: Feedback): Promise<void> {
  await post('/feedback/purge', {
    project_id: projectId,
    query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: feedback.id }] } },
  })
  await queries.invalidateQueries({ queryKey: keyOf(projectId, callId) })
}

export const noteType = 'ext.note.1'
export const reactionType = 'ext.reaction.1'
