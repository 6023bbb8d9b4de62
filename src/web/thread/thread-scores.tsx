import { post } from '../api/client.ts'
import { callRef, type Feedback, noteType, reactionType } from '../call/tabs/use-feedback.ts'
import { ScoreMark } from '../components/display/score-mark.tsx'
import { scoreTypes } from '../format/score-type.ts'
import { useQuery } from '../state/query-signal.ts'
import { threadText } from '../text/trace/thread.ts'
import css from './thread-scores.module.css'
import type { ThreadCall } from './turns.ts'

const callsMax = 100
const scoresMax = 50

interface ThreadScoresProps {
  readonly projectId: string
  readonly calls: readonly ThreadCall[]
}

/** Scores given to the traces of a thread. */
export function ThreadScores({ projectId, calls }: ThreadScoresProps) {
  const roots = calls.filter(({ parent_id }) => !parent_id).slice(-callsMax)
  const refs = roots.map(({ id }) => ({ $literal: callRef(projectId, id) }))
  const scores = useQuery<readonly Feedback[]>({
    queryKey: ['scores', projectId, ...roots.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const query = { $expr: { $in: [{ $getField: 'ext_ref' }, refs] } }
      const body = { project_id: projectId, query, limit: scoresMax }
      return (await post<{ result: Feedback[] }>('/feedback/query', body, { signal })).result
    },
    enabled: roots.length > 0,
  })
  const shown = (scores.data ?? [])
    .filter(({ feedback_type: type }) => type !== noteType && type !== reactionType)
    .map(shownScore)
  const types = scoreTypes(shown)
  if (shown.length === 0) return null
  return (
    <>
      <h2 class={css.head}>{threadText.scores}</h2>
      <dl>
        {shown.map(({ id, name, value }) => (
          <div key={id} class={css.score}>
            <dt class="cut">{name}</dt>
            <dd>
              <ScoreMark value={value} type={types.get(name) ?? 'text'} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const charsMax = 60

function shownScore({ id, feedback_type: type, payload }: Feedback) {
  const value = payload['value'] ?? payload['output'] ?? payload['score']
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return {
    id,
    name: type.replace(/^ext\.(?:runnable|annotation)\./, ''),
    value: isPlain ? value : text.slice(0, charsMax),
  }
}
