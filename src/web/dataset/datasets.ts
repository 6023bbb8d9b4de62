import { apiUrl } from '../api/api-request.ts'
import { post, send } from '../api/client.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import { saveVersion } from '../versions/objects.ts'
import { type Edits, updatesOf } from './edits.ts'

/** Content of a version of a dataset. */
export interface DatasetContent {
  /** Ref of the table with its rows. */
  readonly rows: string
  readonly description?: string | null
  readonly [member: string]: unknown
}

interface VersionWithContent extends ObjectVersion {
  readonly val: unknown
}

/** Digest of the table that a dataset refers to. */
const tableOf = ({ rows }: DatasetContent): string => rows.split('/').at(-1) ?? ''

/** The content of a dataset, if it is one with a table. */
const contentIn = (val: unknown): DatasetContent | undefined => (isContent(val) ? val : undefined)

const isContent = (val: unknown): val is DatasetContent =>
  typeof val === 'object' &&
  val !== null &&
  'rows' in val &&
  typeof val.rows === 'string' &&
  val.rows.includes('/table/')

/** A version of a dataset with how many rows it has. */
export interface DatasetVersion {
  readonly content: DatasetContent
  readonly table: string
  /** Undefined for a table that is not there. */
  readonly rowCount: number | undefined
}

const versionsMax = 200
const statsMax = 1_000

async function countsOf(projectId: string, tables: readonly string[], signal?: AbortSignal) {
  const digests = [...new Set(tables)].slice(0, statsMax)
  if (digests.length === 0) return new Map<string, number>()
  const body = { project_id: projectId, digests }
  const options = signal === undefined ? {} : { signal }
  const answer = await post<{ tables: { digest: string; count: number }[] }>('/table/query_stats_batch', body, options)
  return new Map(answer.tables.map(({ digest, count }) => [digest, count]))
}

/**
 * Reads the tables of the versions of a dataset, and how many rows they have.
 *
 * @returns by digest
 */
export const datasetVersionsQuery = (projectId: string, name: string) => ({
  queryKey: ['objects', projectId, 'tables', name],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReadonlyMap<string, DatasetVersion>> => {
    const sort_by = [{ field: 'created_at', direction: 'desc' }]
    const body = { project_id: projectId, filter: { object_ids: [name], is_op: false }, sort_by, limit: versionsMax }
    const { objs } = await post<{ objs: VersionWithContent[] }>('/objs/query', body, { signal })
    const contents = objs.flatMap(({ digest, val }) => {
      const content = contentIn(val)
      return content === undefined ? [] : [{ digest, content, table: tableOf(content) }]
    })
    const counts = await countsOf(
      projectId,
      contents.map(({ table }) => table),
      signal,
    )
    return new Map(
      contents.map(({ digest, content, table }) => [digest, { content, table, rowCount: counts.get(table) }] as const),
    )
  },
})

/** A dataset as the list shows it. */
export interface DatasetFamily {
  readonly name: string
  readonly latest: ObjectVersion
  readonly versions: number
  readonly rowCount: number | undefined
  readonly description: string
  /** How many evaluations use a version of it. */
  readonly evaluations: number
}

const listedMax = 5_000

/** Reads the datasets of a project, the last changed first. */
export const datasetsQuery = (projectId: string) => ({
  queryKey: ['objects', projectId, 'datasets'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly DatasetFamily[]> => {
    const sort_by = [{ field: 'created_at', direction: 'desc' }]
    const read = (classes: readonly string[], latest_only: boolean) =>
      post<{ objs: VersionWithContent[] }>(
        '/objs/query',
        {
          project_id: projectId,
          filter: { base_object_classes: classes, latest_only },
          include_tags_and_aliases: true,
          sort_by,
          limit: listedMax,
        },
        { signal },
      )
    const [{ objs }, { objs: evaluations }] = await Promise.all([read(['Dataset'], false), read(['Evaluation'], true)])
    const families = [...Map.groupBy(objs, ({ object_id }) => object_id)].flatMap(([name, versions]) => {
      const latest = versions.find(({ is_latest }) => is_latest === 1) ?? versions[0]
      return latest === undefined ? [] : [{ name, latest, versions: versions.length, content: contentIn(latest.val) }]
    })
    const tables = families.flatMap(({ content }) => (content === undefined ? [] : [tableOf(content)]))
    const counts = await countsOf(projectId, tables, signal)
    return families.map(({ name, latest, versions, content }) => ({
      name,
      latest,
      versions,
      rowCount: content && counts.get(tableOf(content)),
      description: typeof content?.description === 'string' ? content.description : '',
      evaluations: evaluations.filter(({ val }) => usesDataset(val, name)).length,
    }))
  },
})

const usesDataset = (evaluation: unknown, name: string): boolean =>
  typeof evaluation === 'object' &&
  evaluation !== null &&
  'dataset' in evaluation &&
  typeof evaluation.dataset === 'string' &&
  evaluation.dataset.includes(`/object/${encodeURIComponent(name)}:`)

const updatesPerRequest = 4_000
const charsPerRequest = 4_000_000

/** Sends updates to a table, in several requests if need be. @returns digest of the new table */
async function updateTable(projectId: string, base: string, updates: readonly string[]): Promise<string> {
  let digest = base
  for (let at = 0; at < updates.length; ) {
    let end = at
    let chars = 0
    while (end < updates.length && end - at < updatesPerRequest && (end === at || chars < charsPerRequest))
      chars += updates[end++]?.length ?? 0
    const base_digest = JSON.stringify(digest)
    const sent = updates.slice(at, end).join(',')
    const body = `{"project_id":${JSON.stringify(projectId)},"base_digest":${base_digest},"updates":[${sent}]}`
    const response = await postText('/table/update', body)
    const answer: { digest: string } = await response.json()
    digest = answer.digest
    at = end
  }
  return digest
}

/** Posts JSON text as it is: numbers go in to the letter. @throws {Problem} */
const postText = (path: string, body: string): Promise<Response> =>
  send(apiUrl(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body })

interface Saved {
  readonly projectId: string
  readonly name: string
  /** The version whose rows the edits change. */
  readonly base: DatasetVersion
  readonly edits: Edits
  /** Digest of the version that must be the latest one. */
  readonly latest: string | undefined
}

/**
 * Stores edits as a version of a dataset.
 *
 * @returns digest of the version
 * @throws {Problem} 409 if another version came first
 */
export async function saveEdits({ projectId, name, base, edits, latest }: Saved): Promise<string> {
  const table = await updateTable(projectId, base.table, updatesOf(edits, base.rowCount ?? 0))
  const rows = `${base.content.rows.slice(0, -base.table.length)}${table}`
  return (await saveVersion(projectId, name, { ...base.content, rows }, latest)).digest
}

/** Makes a dataset without rows, or with some. @param rows JSON text of each @throws {Problem} */
export async function createDataset(projectId: string, name: string, rows: readonly string[] = []): Promise<string> {
  const path = `/v2/${projectId.split('/').map(encodeURIComponent).join('/')}/datasets`
  const response = await postText(path, `{"name":${JSON.stringify(name)},"rows":[${rows.join(',')}]}`)
  const { digest }: { digest: string } = await response.json()
  return digest
}
