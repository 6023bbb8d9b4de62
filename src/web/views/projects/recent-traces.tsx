import type { ProjectSummary } from '../../api/projects.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatAgo, formatFullTime } from '../../format/time.ts'
import { tracePath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { directionOfPreview } from '../../table/preview-parts.ts'
import { Result } from '../../table/result.tsx'
import { preview } from '../../table/rows/preview.tsx'
import { projectsText } from '../../text/projects.ts'
import { type RecentTrace, recentQuery } from './recent-query.ts'
import css from './recent-traces.module.css'

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
