import { postRows } from '../api/lines.ts'
import { classNames } from '../components/display/class-names.ts'
import { formatFullTime, formatWhen } from '../format/time.ts'
import { useQuery } from '../state/query-signal.ts'
import { threadText } from '../text/trace/thread.ts'
import css from './thread-logs.module.css'

const logsMax = 100
const errorSeverity = 17

interface LogLine {
  readonly id: string
  readonly time: string
  readonly event_name: string | null
  readonly severity_number: number | null
  readonly severity_text: string | null
  readonly service_name: string | null
  readonly body: unknown
}

/** The last log records of a thread; nothing if it has none. */
export default function ThreadLogs({ projectId, threadId }: { projectId: string; threadId: string }) {
  const { data } = useQuery({
    queryKey: ['logs', projectId, threadId],
    queryFn: ({ signal }) =>
      postRows<LogLine>(
        '/logs/query',
        {
          project_id: projectId,
          filter: { thread_ids: [threadId] },
          fields: ['id', 'time', 'event_name', 'severity_number', 'severity_text', 'service_name', 'body'],
          sort_by: [{ field: 'time', direction: 'desc' }],
          limit: logsMax,
        },
        { signal },
      ),
    retry: false,
  })
  if (data === undefined || data.length === 0) return null
  return (
    <section class={css.logs}>
      <h2 class={css.head}>{threadText.logs}</h2>
      <ol>
        {data.map((log) => (
          <li key={log.id} class={css.log}>
            <span class={classNames(css.name, (log.severity_number ?? 0) >= errorSeverity && css.error)}>
              {log.event_name ?? log.severity_text ?? threadText.log}
            </span>
            <time class={css.time} data-tip={formatFullTime(log.time)}>
              {formatWhen(log.time)}
            </time>
            <span class={css.body}>{textOf(log.body)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function textOf(body: unknown): string {
  if (body === null || body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}
