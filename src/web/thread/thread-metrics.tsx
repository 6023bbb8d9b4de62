import { post } from '../api/client.ts'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount, formatShort } from '../format/number.ts'
import { useQuery } from '../state/query-signal.ts'
import { threadText } from '../text/trace/thread.ts'
import css from './thread-metrics.module.css'

/** A total of `/metrics/stats`, by metric and by the attribute `type` of its data points. */
export interface MetricTotal {
  readonly metric: string
  readonly group: Readonly<Record<string, unknown>>
  readonly sum: number | null
}

/** Counters of a coding agent in a session; undefined for totals that it did not send. */
interface SessionTotals {
  readonly cost: number | undefined
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedTokens: number | undefined
  readonly cacheWriteTokens: number | undefined
  readonly linesAdded: number | undefined
  readonly linesRemoved: number | undefined
  readonly commits: number | undefined
  readonly pullRequests: number | undefined
  readonly activeMs: number | undefined
}

/** Field by whose values the totals are divided. */
const typeField = 'attributes.type'

const costs = ['claude_code.cost.usage']
const tokens = ['claude_code.token.usage', 'gemini_cli.token.usage']
const lines = ['claude_code.lines_of_code.count', 'gemini_cli.lines.changed']
const commits = ['claude_code.commit.count']
const pullRequests = ['claude_code.pull_request.count']
const activeTimes = ['claude_code.active_time.total']

/** Names of the metrics from which they are taken. */
const agentMetrics: readonly string[] = [...costs, ...tokens, ...lines, ...commits, ...pullRequests, ...activeTimes]

/** The totals of a session; undefined if it has none. */
export function sessionTotals(totals: readonly MetricTotal[]): SessionTotals | undefined {
  const sumOf = (names: readonly string[], types?: readonly string[]): number | undefined => {
    const found = totals.filter(
      ({ metric, group, sum }) =>
        sum !== null && names.includes(metric) && (types === undefined || types.includes(String(group[typeField]))),
    )
    return found.length === 0 ? undefined : found.reduce((all, { sum }) => all + (sum ?? 0), 0)
  }
  const activeSeconds = sumOf(activeTimes)
  const figures: SessionTotals = {
    cost: sumOf(costs),
    inputTokens: sumOf(tokens, ['input']),
    outputTokens: sumOf(tokens, ['output']),
    cachedTokens: sumOf(tokens, ['cacheRead', 'cache']),
    cacheWriteTokens: sumOf(tokens, ['cacheCreation']),
    linesAdded: sumOf(lines, ['added']),
    linesRemoved: sumOf(lines, ['removed']),
    commits: sumOf(commits),
    pullRequests: sumOf(pullRequests),
    activeMs: activeSeconds === undefined ? undefined : activeSeconds * 1_000,
  }
  return Object.values(figures).some((figure) => figure !== undefined) ? figures : undefined
}

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

/** Counters of the coding agent of a thread; nothing if it sent no metrics. */
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
  const totals = data && sessionTotals(data)
  if (totals === undefined) return null
  return (
    <section class={css.metrics}>
      <h2 class={css.head}>{threadText.metrics}</h2>
      <dl>
        {factsOf(totals).map(([name, value]) => (
          <div key={name} class={css.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function factsOf(totals: SessionTotals): (readonly [name: string, value: string])[] {
  const { linesAdded, linesRemoved } = totals
  const facts: (readonly [name: string, figure: number | undefined, format: (figure: number) => string])[] = [
    [threadText.cost, totals.cost, formatCost],
    [threadText.inputTokens, totals.inputTokens, formatShort],
    [threadText.cachedTokens, totals.cachedTokens, formatShort],
    [threadText.cacheWriteTokens, totals.cacheWriteTokens, formatShort],
    [threadText.outputTokens, totals.outputTokens, formatShort],
    [
      threadText.linesChanged,
      linesAdded ?? linesRemoved,
      () => `+${formatCount(linesAdded ?? 0)} −${formatCount(linesRemoved ?? 0)}`,
    ],
    [threadText.commits, totals.commits, formatCount],
    [threadText.pullRequests, totals.pullRequests, formatCount],
    [threadText.activeTime, totals.activeMs, formatDuration],
  ]
  return facts.flatMap(([name, figure, format]) => (figure === undefined ? [] : [[name, format(figure)] as const]))
}
