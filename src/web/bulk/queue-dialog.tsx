import { useState } from 'preact/hooks'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import { createPreferenceQueue } from '../review/preference-queue.ts'
import { addPairs, addToQueue, createQueue, queuesQuery } from '../review/queues.ts'
import { navigate } from '../state/location.ts'
import { queuePath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import { reviewText } from '../text/review.ts'
import { reviewFormText } from '../text/review-form.ts'
import css from './queue-dialog.module.css'

const newOne = ''

/** Puts the selected calls into a queue: one that is there, or a new one. */
export default function QueueDialog({ projectId, ids, asPair = false, onClose }: QueueDialogProps) {
  const [first, second, ...others] = ids
  const pair =
    first !== undefined && second !== undefined && others.length === 0 ? ([first, second] as const) : undefined
  const [isPair, setPair] = useState(asPair)
  const words = bulkText.queue
  const known = useQuery(queuesQuery(projectId)).data
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const target = chosen ?? known?.[0]?.id ?? newOne
  const isNew = target === newOne

  const add = async (): Promise<void> => {
    const existing = known?.find(({ id }) => id === target)
    const queueName = existing?.name ?? name.trim()
    const isCompared = isPair && pair !== undefined
    const create = isCompared ? createPreferenceQueue : createQueue
    const queueId = isNew ? await create(projectId, name.trim()) : target
    const added = isCompared ? await addPairs(projectId, queueId, [pair]) : await addToQueue(projectId, queueId, ids)
    showToast({
      kind: 'done',
      text: isCompared ? reviewFormText.pairAdded(added, queueName) : bulkText.queued(added, queueName),
      action: { label: reviewText.open, run: () => navigate(queuePath(projectId, queueId)) },
    })
    onClose()
  }

  return (
    <FormDialog
      title={asPair ? reviewFormText.pairTitle : words.title(ids.length)}
      verb={words.verb}
      isReady={known !== undefined && (!isNew || name.trim() !== '')}
      formClass={css.form}
      submit={add}
      onClose={onClose}
    >
      <Select
        label={words.label}
        value={target}
        options={
          known
            ? [...known.map(({ id, name: label }) => ({ id, label })), { id: newOne, label: words.newOne }]
            : [{ id: newOne, label: '…' }]
        }
        onChange={setChosen}
      />
      {known && isNew && (
        <Field label={bulkText.name} value={name} required onInput={(event) => setName(event.currentTarget.value)} />
      )}
      {pair && !asPair && (
        <Checkbox checked={isPair} onChange={setPair}>
          {reviewFormText.comparePair}
        </Checkbox>
      )}
    </FormDialog>
  )
}

interface QueueDialogProps {
  readonly projectId: string
  readonly ids: readonly string[]
  /** Whether the two calls become one item, to be compared. */
  readonly asPair?: boolean
  readonly onClose: () => void
}
