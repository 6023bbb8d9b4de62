import { type Column, columnsOf, type Row } from '../dataset/cells.ts'
import { datasetsQuery, datasetVersionsQuery } from '../dataset/datasets.ts'
import { streamRows } from '../dataset/table-rows.ts'
import { useQuery } from '../state/query-signal.ts'
import { callColumn, contentKey } from './call-rows.ts'

/** Rows in which equal ones are looked for. */
export const comparedRowsMax = 20_000

/** The dataset that rows are added to, as far as they depend on it. */
interface Target {
  readonly columns: readonly Column[]
  /** The row with that content; see `contentKey`. */
  readonly contents: ReadonlyMap<string, Row>
  /** The row that was made from a call, by its ref as JSON text. */
  readonly calls: ReadonlyMap<string, Row>
}

/** What adding rows to a dataset needs to know: the datasets, and the chosen one. */
export function useDatasetTarget(projectId: string, chosen: string | undefined) {
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
  return { families, family, base, target }
}
