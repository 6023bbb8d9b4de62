import { Check, X } from 'lucide'
import { post } from '../api/client.ts'
import { callRef, type Feedback, noteType, reactionType } from '../call/use-feedback.ts'
import { formatNumber } from '../format/number.ts'
import { Icon } from '../parts/icon.tsx'
import { useQuery } from '../state/query-signal.ts'
import { threadText } from '../text/thread.ts'
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
  const shown = (scores.data ?? []).filter(({ feedback_type: type }) => type !== noteType && type !== reactionType)
  if (shown.length === 0) return null
  return (
    <>
      <h2 class={css.head}>{threadText.scores}</h2>
      <dl>
        {shown.map(({ id, feedback_type: type, payload }) => (
          <div key={id} class={css.score}>
            <dt class="cut">{type.replace(/^ext\.(?:runnable|annotation)\./, '')}</dt>
            <dd>
              <Value value={payload['value'] ?? payload['output'] ?? payload['score']} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Value({ value }: { value: unknown }) {
  if (typeof value === 'boolean' || value === 0 || value === 1) {
    return (
      <>
        <span class={value ? css.good : css.bad}>
          <Icon of={value ? Check : X} size={14} />
        </span>
        {String(value)}
      </>
    )
  }
  if (typeof value === 'number') return <>{formatNumber(value)}</>
  return <>{(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 60)}</>
}
