import { apiUrl, post, postRaw, send } from '../api/client.ts'

/** A dataset of a project, in its latest version. */
export interface Dataset {
  readonly name: string
  readonly value: { readonly rows: string; readonly [member: string]: unknown }
}

interface DatasetVersion {
  readonly object_id: string
  readonly val: { readonly rows?: unknown }
}

/** Datasets of a project. @throws {Problem} */
export async function readDatasets(projectId: string, signal: AbortSignal): Promise<Dataset[]> {
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
export async function createDataset(projectId: string, name: string, ids: readonly string[]): Promise<void> {
  const rows = await rowsOfCalls(projectId, ids)
  const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/datasets`
  await postText(path, `{"name":${JSON.stringify(name)},"rows":[${rows.join(',')}]}`)
}

/** Makes a new version of a dataset, with calls as further rows. @throws {Problem} */
export async function addToDataset(projectId: string, dataset: Dataset, ids: readonly string[]): Promise<void> {
  const rows = await rowsOfCalls(projectId, ids)
  const base = dataset.value.rows.split('/').at(-1) ?? ''
  const updates = rows.map((row) => `{"append":{"row":${row}}}`).join(',')
  const table = await postText(
    '/table/update',
    `{"project_id":${JSON.stringify(projectId)},"base_digest":${JSON.stringify(base)},"updates":[${updates}]}`,
  )
  const { digest } = (await table.json()) as { digest: string }
  const val = { ...dataset.value, rows: `${dataset.value.rows.slice(0, -base.length)}${digest}` }
  await post('/obj/create', { obj: { project_id: projectId, object_id: dataset.name, val } })
}

const postText = (path: string, body: string): Promise<Response> =>
  send(apiUrl(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
