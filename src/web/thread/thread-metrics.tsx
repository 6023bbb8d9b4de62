import { post } from '../api/client.ts'
import { formatCost } from '../format/cost.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCount, formatShort } from '../format/number.ts'
import { useQuery } from '../state/query-signal.ts'
import { threadText } from '../text/thread.ts'
import { type AgentFigures, agentFigures, agentMetrics, type MetricTotal, typeField } from './agent-metrics.ts'
import css from './thread-metrics.module.css'

/** A session may have begun before the first call that the view has read. */
const earlierMs = 24 * 3_600_000
const bucketSeconds = 24 * 3_600
/** Agents send metrics once a minute. */
const refreshMs = 60_000

interface ThreadMetricsProps {
  readonly projectId: string
  readonly threadId: string
  /** When the first turn started. */
  readonly since: number
  readonly isLive: boolean
}

/** What the coding agent of a thread has counted; nothing if it sent no metrics. */
export default function ThreadMetrics({ projectId, threadId, since, isLive }: ThreadMetricsProps) {
  const { data } = useQuery({
    queryKey: ['metrics', projectId, threadId],
    queryFn: async ({ signal }) => {
      const body = {
        project_id: projectId,
        start: new Date(since - earlierMs).toISOString(),
        granularity: bucketSeconds,
        metrics: agentMetrics,
        query: { $expr: { $eq: [{ $getField: 'attributes.session.id' }, { $literal: threadId }] } },
        group_by: [typeField],
      }
      return (await post<{ totals: MetricTotal[] }>('/metrics/stats', body, { signal })).totals
    },
    refetchInterval: isLive && refreshMs,
    retry: false,
  })
  const figures = data && agentFigures(data)
  if (figures === undefined) return null
  return (
    <section class={css.metrics}>
      <h2 class={css.head}>{threadText.metrics}</h2>
      <dl>
        {factsOf(figures).map(([name, value]) => (
          <div key={name} class={css.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function factsOf(figures: AgentFigures): (readonly [name: string, value: string])[] {
  const { linesAdded, linesRemoved } = figures
  const facts: (readonly [name: string, figure: number | undefined, format: (figure: number) => string])[] = [
    [threadText.cost, figures.cost, formatCost],
    [threadText.inputTokens, figures.inputTokens, formatShort],
    [threadText.cachedTokens, figures.cachedTokens, formatShort],
    [threadText.cacheWriteTokens, figures.cacheWriteTokens, formatShort],
    [threadText.outputTokens, figures.outputTokens, formatShort],
    [
      threadText.linesChanged,
      linesAdded ?? linesRemoved,
      () => `+${formatCount(linesAdded ?? 0)} −${formatCount(linesRemoved ?? 0)}`,
    ],
    [threadText.commits, figures.commits, formatCount],
    [threadText.pullRequests, figures.pullRequests, formatCount],
    [threadText.activeTime, figures.activeMs, formatDuration],
  ]
  return facts.flatMap(([name, figure, format]) => (figure === undefined ? [] : [[name, format(figure)] as const]))
}
