import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { useQuery } from '../state/query-signal.ts'
import { showToast } from '../state/toasts.ts'
import { showError } from '../state/undo.ts'
import { bulkText } from '../text/bulk.ts'
import { partsText } from '../text/parts.ts'
import css from './collect-dialog.module.css'
import { addToDataset, createDataset, readDatasets } from './datasets.ts'
import { addToQueue, createQueue, readQueues } from './queues.ts'

const newOne = ''

/** Puts the selected calls into a queue or a dataset: one that is there, or a new one. */
export function CollectDialog({ kind, projectId, ids, onClose }: CollectProps) {
  const words = bulkText[kind]
  const known = useQuery({
    queryKey: [kind, projectId],
    queryFn: async ({ signal }) =>
      kind === 'queue'
        ? (await readQueues(projectId, signal)).map(({ id, name }) => ({ id, name, dataset: undefined }))
        : (await readDatasets(projectId, signal)).map((dataset) => ({ id: dataset.name, name: dataset.name, dataset })),
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
      if (kind === 'queue') {
        const queueId = isNew ? await createQueue(projectId, name.trim()) : target
        const added = await addToQueue(projectId, queueId, ids)
        showToast({ kind: 'done', text: bulkText.queued(added, existing?.name ?? name.trim()) })
      } else {
        if (existing?.dataset) await addToDataset(projectId, existing.dataset, ids)
        else await createDataset(projectId, name.trim(), ids)
        showToast({ kind: 'done', text: bulkText.collected(ids.length, existing?.name ?? name.trim()) })
      }
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

interface CollectProps {
  readonly kind: 'queue' | 'dataset'
  readonly projectId: string
  readonly ids: readonly string[]
  readonly onClose: () => void
}
