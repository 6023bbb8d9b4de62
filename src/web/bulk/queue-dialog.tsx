import { useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import { partsText } from '../text/parts.ts'
import css from './queue-dialog.module.css'

/** A list of calls for people to judge. */
interface Queue {
  readonly id: string
  readonly name: string
}

/** Queues of a project, newest first. @throws {Problem} */
const readQueues = (projectId: string, signal: AbortSignal): Promise<Queue[]> =>
  postRows<Queue>('/annotation_queues/query', { project_id: projectId, limit: 100 }, { signal })

/** Makes a queue. @returns its id @throws {Problem} */
const createQueue = async (projectId: string, name: string): Promise<string> =>
  (await post<{ id: string }>('/annotation_queues', { project_id: projectId, name, scorer_refs: [] })).id

/** Puts calls into a queue. @returns how many were not in it already @throws {Problem} */
async function addToQueue(projectId: string, queueId: string, ids: readonly string[]): Promise<number> {
  const body = { project_id: projectId, call_ids: ids, display_fields: ['inputs', 'output'] }
  const path = `/annotation_queues/${encodeURIComponent(queueId)}/items`
  return (await post<{ added_count: number }>(path, body)).added_count
}

const newOne = ''

/** Puts the selected calls into a queue: one that is there, or a new one. */
export function QueueDialog({ projectId, ids, onClose }: QueueDialogProps) {
  const words = bulkText.queue
  const known = useQuery({
    queryKey: ['queues', projectId],
    queryFn: ({ signal }) => readQueues(projectId, signal),
  }).data
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const target = chosen ?? known?.[0]?.id ?? newOne
  const isNew = target === newOne

  const add = async (): Promise<void> => {
    if (isNew && name.trim() === '') return
    setBusy(true)
    try {
      const existing = known?.find(({ id }) => id === target)
      const queueId = isNew ? await createQueue(projectId, name.trim()) : target
      const added = await addToQueue(projectId, queueId, ids)
      showToast({ kind: 'done', text: bulkText.queued(added, existing?.name ?? name.trim()) })
      onClose()
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(ids.length)}
      foot={
        <>
          <Button hint="esc" onClick={onClose}>
            {partsText.cancel}
          </Button>
          <Button kind="primary" busy={busy} disabled={known === undefined} onClick={() => void add()}>
            {words.verb}
          </Button>
        </>
      }
    >
      <form
        class={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Select
          label={words.label}
          value={target}
          options={[
            ...(known ?? []).map(({ id, name: label }) => ({ id, label })),
            { id: newOne, label: words.newOne },
          ]}
          onChange={setChosen}
        />
        {isNew && (
          <Field label={bulkText.name} value={name} required onInput={(event) => setName(event.currentTarget.value)} />
        )}
      </form>
    </Dialog>
  )
}

interface QueueDialogProps {
  readonly projectId: string
  readonly ids: readonly string[]
  readonly onClose: () => void
}
