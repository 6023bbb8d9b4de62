import { postRows } from '../../api/lines.ts'
import type { ProjectSummary } from '../../api/projects.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { formatDuration } from '../../format/duration.ts'
import { compareTimes, formatAgo, formatFullTime } from '../../format/time.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { type CallLine, type CallRow, rowOfLine } from '../../table/call-row.ts'
import { directionOfPreview } from '../../table/preview-parts.ts'
import { Result } from '../../table/result.tsx'
import { preview } from '../../table/rows/preview.tsx'
import { projectsText } from '../../text/projects.ts'
import css from './recent-traces.module.css'

/** A trace among those of several projects. */
interface RecentTrace extends CallRow {
  readonly projectId: string
}

const projectsMax = 6
const tracesMax = 12
/** So that one busy project does not hide the others. */
const perProjectMax = 5
const previewChars = 200

/** Reads the newest traces of the projects that were active last, for the query cache. */
const recentQuery = (projects: readonly ProjectSummary[]) => {
  const ids = projects.slice(0, projectsMax).map(({ project_id }) => project_id)
  return {
    queryKey: ['recent traces', ...ids],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly RecentTrace[]> => {
      const lists = await Promise.all(ids.map((id) => newestOf(id, signal)))
      return lists
        .flat()
        .sort((a, b) => compareTimes(b.startedAt, a.startedAt))
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

const askAgainMs = 15_000

/** The newest traces across projects. Nothing until they are here: the projects come first. */
export function RecentTraces({ projects }: { projects: readonly ProjectSummary[] }) {
  const { data } = useQuery({ ...recentQuery(projects), refetchInterval: askAgainMs })
  if (data === undefined) return <section aria-busy />
  if (data.length === 0) return null
  return (
    <section class={css.recent}>
      <h2 class={css.title}>{projectsText.recent}</h2>
      <ul>
        {data.map((trace) => (
          <li key={`${trace.projectId} ${trace.id}`}>
            <Row trace={trace} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Row = ({ trace }: { trace: RecentTrace }) => (
  <a class={css.row} href={tracePath(trace.projectId, trace.traceId)}>
    <StatusIcon status={trace.status} inList />
    <span class={css.name}>{trace.name}</span>
    <span class={css.input} dir={directionOfPreview(trace.input)}>
      {preview(trace.input)}
    </span>
    <span class={css.output} dir={directionOfPreview(trace.error ?? trace.output)}>
      <Result row={trace} />
    </span>
    <span class={css.duration}>{trace.latencyMs === null ? '' : formatDuration(trace.latencyMs)}</span>
    <span class={css.project}>{trace.projectId}</span>
    <span class={css.when} data-tip={formatFullTime(trace.startedAt)}>
      {formatAgo(trace.startedAt)}
    </span>
  </a>
)
