import { useState } from 'preact/hooks'
import { apiUrl, post, postRaw, send } from '../api/client.ts'
import { postRows } from '../api/lines.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { navigate } from '../state/location.ts'
import { datasetPath } from '../state/paths.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { showError, showToast } from '../state/toasts.ts'
import { bulkText } from '../text/bulk.ts'
import { partsText } from '../text/parts.ts'
import css from './collect-dialog.module.css'

/** A dataset of a project, in its latest version. */
interface Dataset {
  readonly name: string
  readonly value: { readonly rows: string; readonly [member: string]: unknown }
}

interface DatasetVersion {
  readonly object_id: string
  readonly val: { readonly rows?: unknown }
}

/** Datasets of a project. @throws {Problem} */
async function readDatasets(projectId: string, signal: AbortSignal): Promise<Dataset[]> {
  const filter = { base_object_classes: ['Dataset'], latest_only: true }
  const { objs } = await post<{ objs: DatasetVersion[] }>('/objs/query', { project_id: projectId, filter }, { signal })
  return objs
    .filter(({ val }) => typeof val.rows === 'string')
    .map(({ object_id, val }) => ({ name: object_id, value: val as Dataset['value'] }))
}

/** Rows of a dataset from calls, as JSON text: numbers go in to the letter. */
async function rowsOfCalls(projectId: string, ids: readonly string[]): Promise<string[]> {
  const body = { project_id: projectId, filter: { call_ids: ids }, columns: ['inputs', 'output'], omit_null: true }
  const response = await postRaw('/calls/stream_query', body, { headers: { accept: 'application/jsonl' } })
  return (await response.text()).split('\n').filter(Boolean)
}

/** Makes a dataset from calls. @throws {Problem} */
async function createDataset(projectId: string, name: string, ids: readonly string[]): Promise<void> {
  const rows = await rowsOfCalls(projectId, ids)
  const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/datasets`
  await postText(path, `{"name":${JSON.stringify(name)},"rows":[${rows.join(',')}]}`)
}

/** Makes a new version of a dataset, with calls as further rows. @throws {Problem} */
async function addToDataset(projectId: string, dataset: Dataset, ids: readonly string[]): Promise<void> {
  const rows = await rowsOfCalls(projectId, ids)
  const base = dataset.value.rows.split('/').at(-1) ?? ''
  const updates = rows.map((row) => `{"append":{"row":${row}}}`).join(',')
  const table = await postText(
    '/table/update',
    `{"project_id":${JSON.stringify(projectId)},"base_digest":${JSON.stringify(base)},"updates":[${updates}]}`,
  )
  const { digest }: { digest: string } = await table.json()
  const val = { ...dataset.value, rows: `${dataset.value.rows.slice(0, -base.length)}${digest}` }
  await post('/obj/create', { obj: { project_id: projectId, object_id: dataset.name, val } })
}

const postText = (path: string, body: string): Promise<Response> =>
  send(apiUrl(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body })

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
        const dataset = existing?.name ?? name.trim()
        showToast({
          kind: 'done',
          text: bulkText.collected(ids.length, dataset),
          action: { label: bulkText.openDataset, run: () => navigate(datasetPath(projectId, dataset)) },
        })
        await queries.invalidateQueries({ queryKey: ['objects', projectId] })
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
