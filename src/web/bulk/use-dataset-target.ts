import { postRaw } from '../api/client.ts'
import { type Column, columnsOf, type Row } from '../dataset/cells.ts'
import { datasetsQuery, datasetVersionsQuery } from '../dataset/datasets.ts'
import { streamRows } from '../dataset/table-rows.ts'
import { useQuery } from '../state/query-signal.ts'
import { callColumn, contentKey, type SourceCall } from './call-rows.ts'

/** Rows in which equal ones are looked for. */
export const comparedRowsMax = 20_000

/** Reads the calls of ids with their payloads, in the order of the ids. @throws {Problem} */
const callsQuery = (projectId: string, ids: readonly string[]) => ({
  queryKey: ['calls as rows', projectId, ids],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly SourceCall[]> => {
    const columns = ['id', 'op_name', 'inputs', 'output']
    const body = { project_id: projectId, filter: { call_ids: ids }, columns }
    const response = await postRaw('/calls/stream_query', body, { signal, headers: { accept: 'application/jsonl' } })
    const calls = (await response.text())
      .split('\n')
      .filter(Boolean)
      .map((text): SourceCall => {
        const { id, op_name: op }: { id: string; op_name: string } = JSON.parse(text)
        return { id, op, text }
      })
    return calls.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  },
})

/** The dataset that rows are added to, as far as they depend on it. */
interface Target {
  readonly columns: readonly Column[]
  /** The row with that content; see `contentKey`. */
  readonly contents: ReadonlyMap<string, Row>
  /** The row that was made from a call, by its ref as JSON text. */
  readonly calls: ReadonlyMap<string, Row>
}

/** What adding calls to a dataset needs to know: the calls, the datasets, and the chosen one. */
export function useDatasetTarget(projectId: string, ids: readonly string[], chosen: string | undefined) {
  const calls = useQuery(callsQuery(projectId, ids))
  const families = useQuery(datasetsQuery(projectId))
  const name = chosen ?? families.data?.[0]?.name
  const family = families.data?.find((each) => each.name === name)
  const versions = useQuery({ ...datasetVersionsQuery(projectId, name ?? ''), enabled: family !== undefined })
  const base = family && versions.data?.get(family.latest.digest)
  const target = useQuery({
    queryKey: ['dataset contents', projectId, base?.table],
    enabled: base !== undefined,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Target> => {
      const sample: Row[] = []
      const contents = new Map<string, Row>()
      const rowsOfCalls = new Map<string, Row>()
      const source = { projectId, digest: base?.table ?? '', sort: undefined }
      for await (const batch of streamRows(source, { limit: comparedRowsMax, signal })) {
        for (const { row } of batch) {
          if (sample.length < 300) sample.push(row)
          contents.set(contentKey(row.cells), row)
          const call = row.cells.get(callColumn)
          if (call !== undefined) rowsOfCalls.set(call, row)
        }
      }
      return { columns: columnsOf(sample), contents, calls: rowsOfCalls }
    },
  })
  return { calls, families, family, base, target }
}
