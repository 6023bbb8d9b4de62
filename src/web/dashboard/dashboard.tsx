import { signal } from '@preact/signals'
import { ChartColumn } from 'lucide'
import { useMemo } from 'preact/hooks'
import { ChartSkeleton } from '../chart/chart-skeleton.tsx'
import { durationScale, durationTick } from '../chart/duration-scale.ts'
import type { Span } from '../chart/span.ts'
import { TimeChart } from '../chart/time-chart.tsx'
import { EmptyState } from '../components/states/empty-state.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { formatDuration } from '../format/duration.ts'
import { formatCost, formatCount, formatNumber, formatShare, formatShort } from '../format/number.ts'
import { useQuery } from '../state/query-signal.ts'
import { dashboardText } from '../text/dashboards.ts'
import { costTick } from './cards/card-data.ts'
import { bucketsOf, callsIn, costChart, latencyChart, statistic, tokensChart, volumeChart } from './chart-data.ts'
import css from './dashboard.module.css'
import { OpsSkeleton, OpsTable } from './ops-table.tsx'
import {
  type DashboardScope,
  readOps,
  readOpTrends,
  readScore,
  readStatuses,
  readTotals,
  readTraffic,
  readUsage,
  stepOf,
} from './read-stats.ts'

const upperHeight = 172
const lowerHeight = 146

/** Charts of a project or of one of its ops; a point leads to its calls. */
export function Dashboard({ scope, isAllTime, onOpen, hrefOfOp }: DashboardProps) {
  const hovered = useMemo(() => signal<number | undefined>(undefined), [])
  const { span, op } = scope
  const key = [scope.projectId, span.from, span.to, op ?? '']
  const traffic = useQuery({ queryKey: ['traffic', ...key], queryFn: ({ signal: left }) => readTraffic(scope, left) })
  const statuses = useQuery({
    queryKey: ['statuses', ...key],
    queryFn: ({ signal: left }) => readStatuses(scope, left),
  })
  const totals = useQuery({ queryKey: ['totals', ...key], queryFn: ({ signal: left }) => readTotals(scope, left) }).data
  const usage = useQuery({ queryKey: ['usage', ...key], queryFn: ({ signal: left }) => readUsage(scope, left) })
  const ops = useQuery({ queryKey: ['ops', ...key], queryFn: ({ signal: left }) => readOps(scope, left) })
  const trends = useQuery({
    queryKey: ['trends', ...key],
    queryFn: ({ signal: left }) => readOpTrends(scope, left),
  }).data
  const score = useQuery({ queryKey: ['score', ...key], queryFn: ({ signal: left }) => readScore(scope, left) }).data

  if (traffic.isError) return <ErrorState error={traffic.error} retry={() => void traffic.refetch()} />
  if (!traffic.data) return <DashboardSkeleton isOfOp={op !== undefined} />
  if (callsIn(traffic.data.call_buckets) === 0) {
    return (
      <EmptyState icon={ChartColumn} title={isAllTime ? dashboardText.nothing : dashboardText.noCalls}>
        {isAllTime ? dashboardText.nothingReason : dashboardText.noCallsReason}
      </EmptyState>
    )
  }
  const buckets = bucketsOf(traffic.data.call_buckets, traffic.data.granularity * 1_000, span)
  const latency = latencyChart(traffic.data.call_buckets, totals?.call_buckets[0], buckets)
  const tokens = usage.data && tokensChart(usage.data.usage_buckets, buckets)
  const costs = usage.data && costChart(usage.data.usage_buckets, buckets)
  const shared = { span, hovered, onOpen }
  return (
    <div class={css.cards}>
      <div class={css.two}>
        <TimeChart
          {...shared}
          {...latency}
          title={dashboardText.latency}
          kind="lines"
          format={formatDuration}
          formatTick={durationTick}
          scaleOf={durationScale}
          height={upperHeight}
        />
        {statuses.data ? (
          <TimeChart
            {...shared}
            {...volumeChart(statuses.data.call_buckets, buckets)}
            title={volumeTitle(op !== undefined)}
            kind="bars"
            format={formatCount}
            isCount
            height={upperHeight}
          />
        ) : statuses.isError ? (
          <ErrorState error={statuses.error} retry={() => void statuses.refetch()} />
        ) : (
          <ChartSkeleton title={volumeTitle(op !== undefined)} height={upperHeight} />
        )}
      </div>
      <div class={css.three}>
        {usage.isError && <ErrorState error={usage.error} retry={() => void usage.refetch()} />}
        {usage.isPending && <UsageSkeleton />}
        {costs && costs.sum > 0 && (
          <TimeChart
            {...shared}
            {...costs}
            title={dashboardText.cost}
            note={formatCost(costs.sum)}
            kind="bars"
            format={formatCost}
            formatTick={costTick}
            height={lowerHeight}
          />
        )}
        {tokens && tokens.sum > 0 && (
          <TimeChart
            {...shared}
            {...tokens}
            title={dashboardText.tokens}
            note={formatShort(tokens.sum)}
            kind="bars"
            format={formatShort}
            isCount
            height={lowerHeight}
          />
        )}
        {score && <ScoreChart score={score} shared={shared} />}
      </div>
      {ops.isError && <ErrorState error={ops.error} retry={() => void ops.refetch()} />}
      {ops.isPending && <OpsSkeleton />}
      {ops.data && (
        <OpsTable
          calls={ops.data.call_buckets}
          usage={ops.data.usage_buckets}
          trends={trends?.call_buckets ?? []}
          hrefOf={hrefOfOp}
        />
      )}
    </div>
  )
}

/** The places of all parts of a dashboard while nothing has been read. */
export const DashboardSkeleton = ({ isOfOp }: { isOfOp: boolean }) => (
  <div class={css.cards}>
    <div class={css.two}>
      <ChartSkeleton title={dashboardText.latency} height={upperHeight} />
      <ChartSkeleton title={volumeTitle(isOfOp)} height={upperHeight} />
    </div>
    <div class={css.three}>
      <UsageSkeleton />
    </div>
    <OpsSkeleton />
  </div>
)

const UsageSkeleton = () => (
  <>
    <ChartSkeleton title={dashboardText.cost} height={lowerHeight} />
    <ChartSkeleton title={dashboardText.tokens} height={lowerHeight} />
  </>
)

const volumeTitle = (isOfOp: boolean): string => (isOfOp ? dashboardText.calls : dashboardText.traces)

interface DashboardProps {
  readonly scope: DashboardScope
  /** There is no other range to look at. */
  readonly isAllTime: boolean
  readonly onOpen: (bucket: Span) => void
  readonly hrefOfOp: (op: string) => string
}

type Score = NonNullable<Awaited<ReturnType<typeof readScore>>>

function ScoreChart({
  score,
  shared,
}: {
  score: Score
  shared: Omit<Parameters<typeof TimeChart>[0], 'title' | 'series' | 'buckets' | 'kind' | 'format' | 'height' | 'note'>
}) {
  const buckets = bucketsOf(score.buckets, stepOf(shared.span), shared.span)
  const values = buckets.map((_, index) => meanOf(score, index))
  const format = score.isBoolean ? formatShare : formatNumber
  return (
    <TimeChart
      {...shared}
      title={dashboardText.score(score.path)}
      note={score.mean === undefined ? undefined : format(score.mean)}
      buckets={buckets}
      series={[
        {
          name: score.isBoolean ? dashboardText.share : dashboardText.mean,
          color: 'var(--c1)',
          values,
        },
      ]}
      kind="lines"
      format={format}
      height={lowerHeight}
    />
  )
}

/** Members of a bucket begin with the aggregation: `avg_output`, `count_true_output`. */
function meanOf({ buckets, isBoolean }: Score, index: number): number | null {
  const row = buckets[index]
  const named = (prefix: string) => Object.keys(row ?? {}).find((name) => name.startsWith(prefix))
  if (!isBoolean) return statistic(row, named('avg_') ?? '')
  const trues = statistic(row, named('count_true_') ?? '')
  const all = statistic(row, Object.keys(row ?? {}).find((name) => /^count_(?!true_)/.test(name)) ?? '')
  return trues === null || !all ? null : trues / all
}
