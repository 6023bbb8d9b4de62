import { post } from '../api/client.ts'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { useQuery } from '../state/query-signal.ts'
import { isAdmin, session } from '../state/session.ts'
import { reviewFormText as words } from '../text/review-form.ts'
import css from './queue-form.module.css'
import { type ListedQueue, personOf } from './queues.ts'

interface Person {
  readonly user_id: string
  readonly name: string
}

/** The people to whom queues of a project can be assigned; only admins may ask. */
const assignableQuery = (projectId: string) => ({
  queryKey: ['queues', projectId, 'assignable'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<{ readonly people: readonly Person[] }> =>
    post('/annotation_queues/assignable', { project_id: projectId }, { signal }),
})

interface AssignedPeopleProps {
  readonly projectId: string
  readonly queue: ListedQueue
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/**
 * Who may review a queue. Those who are no admins choose among the people who have reviewed it, and
 * themselves.
 */
export function AssignedPeople({ projectId, queue, chosen, onChange }: AssignedPeopleProps) {
  const asked = useQuery({ ...assignableQuery(projectId), enabled: isAdmin.value })
  const { review, progress } = queue
  const names = new Map<string, string>()
  const own = session.value?.user_id
  if (own) names.set(own, personOf(own))
  for (const { user_id, name } of asked.data?.people ?? []) names.set(user_id, personOf(user_id, name))
  for (const { user_id, name } of progress.reviewers) names.set(user_id, personOf(user_id, name))
  for (const [at, id] of review.assigned_to.entries()) names.set(id, personOf(id, progress.assigned_names[at]))
  const shown = [...names.values()]
  return (
    <fieldset class={css.people}>
      <legend class={css.label}>{words.assigned}</legend>
      {asked.error && <ErrorState error={asked.error} retry={() => void asked.refetch()} />}
      <div class={css.persons}>
        {[...names].map(([id, name]) => (
          <Checkbox
            key={id}
            class={css.person}
            checked={chosen.includes(id)}
            onChange={(checked) => onChange(checked ? [...chosen, id] : chosen.filter((each) => each !== id))}
          >
            <bdi class="cut">{name}</bdi>
            {/* Keys may have equal names. */}
            {shown.filter((each) => each === name).length > 1 && <span class={css.hint}>{id.slice(0, 8)}</span>}
          </Checkbox>
        ))}
      </div>
      <span class={css.hint}>{chosen.length === 0 ? words.assignedNobody : words.assignedHint}</span>
    </fieldset>
  )
}
