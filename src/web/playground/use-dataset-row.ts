import { datasetsQuery, datasetVersionsQuery } from '../dataset/datasets.ts'
import { streamRows } from '../dataset/table-rows.ts'
import { useQuery } from '../state/query-signal.ts'
import { versionsQuery } from '../versions/objects.ts'
import { valuesOfRow } from './use-row-runs.ts'
import type { Workspace } from './workspace.ts'

/** The version of a dataset that something takes rows from, and the values of its row. */
export function useDatasetRow(
  projectId: string,
  workspace: Pick<Workspace, 'dataset' | 'datasetDigest' | 'row'> | undefined,
) {
  const datasets = useQuery(datasetsQuery(projectId))
  const families = datasets.data ?? []
  const family = families.find(({ name }) => name === workspace?.dataset)
  const enabled = family !== undefined
  const versions = useQuery({ ...versionsQuery(projectId, family?.name ?? ''), enabled }).data ?? []
  const tables = useQuery({ ...datasetVersionsQuery(projectId, family?.name ?? ''), enabled }).data
  const version = versions.find(({ digest }) => digest === workspace?.datasetDigest) ?? family?.latest
  const table = version && tables?.get(version.digest)
  const row = useQuery({
    queryKey: ['playground row', projectId, table?.table, workspace?.row],
    enabled: table !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Readonly<Record<string, string>>> => {
      const place = { projectId, digest: table?.table ?? '', sort: undefined }
      for await (const [first] of streamRows(place, { limit: 1, offset: workspace?.row ?? 0, signal }))
        if (first) return valuesOfRow(first.row)
      return {}
    },
  })
  return {
    families,
    /** Whether the datasets are still being read, so that none is known yet. */
    isReading: datasets.isPending,
    versions: family === undefined ? [] : versions,
    tables,
    version,
    table: table?.table,
    rowCount: table?.rowCount,
    values: row.data,
  }
}

/** What `useDatasetRow` gives. */
export type DatasetRow = ReturnType<typeof useDatasetRow>
