import { Table2 } from 'lucide'
import type { RowsOfCall } from '../../domains/datasets/index.ts'
import { post } from '../api/client.ts'
import { Icon } from '../components/display/icon.tsx'
import { datasetPath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { callText } from '../text/trace/call.ts'
import css from './dataset-rows.module.css'

/** All rows of the project are looked through: a call that is only passed by is not asked for. */
const waitMs = 300

/** The rows of datasets that were made from a call; nothing for a call in none. */
export default function DatasetRows({ projectId, callId }: { projectId: string; callId: string }) {
  const { data } = useQuery({
    queryKey: ['objects', projectId, 'rows of call', callId],
    queryFn: async ({ signal }): Promise<RowsOfCall> => {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      signal.throwIfAborted()
      return await post('/datasets/rows_of_call', { project_id: projectId, call_id: callId }, { signal })
    },
    staleTime: 60_000,
    gcTime: 300_000,
  })
  if (data === undefined || data.rows.length === 0) return null
  return (
    <p class={css.rows}>
      <Icon of={Table2} size={14} />
      <span>{callText.inDatasets}</span>
      {data.rows.map(({ object_id, version_index, row_index }) => (
        <a
          key={`${object_id} ${row_index}`}
          href={`${datasetPath(projectId, object_id)}?row=${row_index + 1}`}
          dir="auto"
        >
          {callText.datasetRow(object_id, version_index, row_index + 1)}
        </a>
      ))}
    </p>
  )
}
