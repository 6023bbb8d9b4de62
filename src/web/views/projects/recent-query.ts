import { postRows } from '../../api/lines.ts'
import type { ProjectSummary } from '../../api/projects.ts'
import { type CallLine, type CallRow, rowOfLine } from '../../table/call-row.ts'

/** A trace among those of several projects. */
export interface RecentTrace extends CallRow {
  readonly projectId: string
}

const projectsMax = 6
const tracesMax = 12
/** So that one busy project does not hide the others. */
const perProjectMax = 5
const previewChars = 200

/** Reads the newest traces of the projects that were active last, for the query cache. */
export const recentQuery = (projects: readonly ProjectSummary[]) => {
  const ids = projects.slice(0, projectsMax).map(({ project_id }) => project_id)
  return {
    queryKey: ['recent traces', ...ids],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly RecentTrace[]> => {
      const lists = await Promise.all(ids.map((id) => newestOf(id, signal)))
      return lists
        .flat()
        .sort((a, b) => b.startedAt.localeCompare(a.startedAt))
        .slice(0, tracesMax)
    },
    enabled: ids.length > 0,
  }
}

async function newestOf(projectId: string, signal: AbortSignal): Promise<RecentTrace[]> {
  const body = {
    project_id: projectId,
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    columns: [
      'id',
      'trace_id',
      'op_name',
      'display_name',
      'started_at',
      'exception',
      'attributes.kind',
      'attributes.span_name',
      'summary',
    ],
    omit_null: true,
    preview_chars: previewChars,
    limit: perProjectMax,
  }
  const lines = await postRows<CallLine>('/calls/stream_query', body, { signal })
  return lines.map((line) => ({ ...rowOfLine(line), projectId }))
}
