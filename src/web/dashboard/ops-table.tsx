import { Sparkline } from '../chart/sparkline.tsx'
import { KindIcon } from '../components/display/kind-icon.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { formatDuration } from '../format/duration.ts'
import { opName } from '../format/ids.ts'
import { formatCost, formatCount, formatShare, formatShort } from '../format/number.ts'
import { wholeOpName } from '../format/op-names.ts'
import { opKind } from '../table/rows/op-kind.ts'
import { dashboardText } from '../text/dashboards.ts'
import { statistic } from './chart-data.ts'
import css from './ops-table.module.css'
import type { StatsRow } from './read-stats.ts'

const width = 120

/** Latency of an op among that of the others: a bar from p50 to p95, a line on to p99. */
function LatencyRange({ p50, p95, p99, least, most }: LatencyRangeProps) {
  if (p50 === null || p95 === null || p99 === null) return null
  const low = Math.log(Math.max(0.5, least))
  const range = Math.max(0.1, Math.log(most) - low)
  const x = (ms: number) => Math.max(0, Math.min(1, (Math.log(Math.max(0.5, ms)) - low) / range)) * (width - 4)
  return (
    <svg
      class={css.range}
      viewBox={`0 0 ${width} 12`}
      preserveAspectRatio="none"
      role="img"
      aria-label={dashboardText.latencyOf(formatDuration(p50), formatDuration(p95), formatDuration(p99))}
    >
      <line x1={0} x2={width} y1={6} y2={6} style={{ stroke: 'var(--grid)' }} />
      <line
        x1={x(p95)}
        x2={Math.max(x(p99), x(p95) + 1)}
        y1={6}
        y2={6}
        style={{ stroke: 'var(--bar)' }}
        stroke-width={1.5}
      />
      <rect x={x(p50)} width={Math.max(2, x(p95) - x(p50))} y={3} height={6} rx={1} style={{ fill: 'var(--bar)' }} />
    </svg>
  )
}

interface LatencyRangeProps {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** Ends of the scale, in milliseconds. */
  readonly least: number
  readonly most: number
}

const Head = () => (
  <header class={css.head}>
    <h2 class={css.title}>{dashboardText.operations}</h2>
    <span class={css.note}>{dashboardText.barNote}</span>
  </header>
)

/** The place of the table while it is read. */
export const OpsSkeleton = () => (
  <section class={css.card} aria-label={dashboardText.operations}>
    <Head />
    <LoadingRows columns="2fr 60px 60px 60px 60px 60px 1fr 60px 60px 1fr 1fr" rows={8} height={29} />
  </section>
)

/** The ops with most calls: how many, how slow, how dear, and how it went over time. */
export function OpsTable({ calls, usage, trends, hrefOf }: OpsTableProps) {
  const rows = calls
    .filter(({ group, is_other }) => typeof group === 'string' && !is_other)
    .map((row) => opOf(row, usage, trends))
    .sort((a, b) => b.calls - a.calls)
  const costs = rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
  const dearest = Math.max(0, ...rows.map(({ cost }) => cost ?? 0))
  const bounds = {
    least: Math.min(...rows.map(({ p50 }) => p50 ?? Infinity)),
    most: Math.max(1, ...rows.map(({ p99 }) => p99 ?? 0)),
  }
  return (
    <section class={css.card} aria-label={dashboardText.operations}>
      <Head />
      <div class={css.scroll} tabIndex={0} role="group" aria-label={dashboardText.operations}>
        <table class={css.table}>
          <thead>
            <tr>
              <th scope="col">{dashboardText.op}</th>
              <th scope="col" class={css.number}>
                {dashboardText.calls}
              </th>
              <th scope="col" class={css.number}>
                {dashboardText.errors}
              </th>
              <th scope="col" class={css.number}>
                p50
              </th>
              <th scope="col" class={css.number}>
                p95
              </th>
              <th scope="col" class={css.number}>
                p99
              </th>
              <th scope="col">{dashboardText.scale}</th>
              <th scope="col" class={css.number}>
                {dashboardText.tokens}
              </th>
              <th scope="col" class={css.number}>
                {dashboardText.costColumn}
              </th>
              <th scope="col">{dashboardText.costShare}</th>
              <th scope="col">{dashboardText.trend}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((op) => (
              <tr key={op.stored}>
                <th scope="row">
                  <a class={css.op} href={hrefOf(op.name)}>
                    <KindIcon kind={opKind(op.name)} hidden />
                    <span class="cut">{op.name.trim() === '' ? dashboardText.noName : op.name}</span>
                  </a>
                </th>
                <td class={css.number}>{formatCount(op.calls)}</td>
                <td class={css.number}>
                  <span class={op.errors > 0 && op.errors / op.calls >= 0.05 ? css.bad : undefined}>
                    {formatCount(op.errors)}
                  </span>
                  <span class={css.share}>{op.errors > 0 ? formatShare(op.errors / op.calls) : ''}</span>
                </td>
                {[op.p50, op.p95, op.p99].map((value, index) => (
                  <td key={index} class={css.number}>
                    {value === null ? '' : formatDuration(value)}
                  </td>
                ))}
                <td>
                  <LatencyRange {...op} {...bounds} />
                </td>
                <td class={css.number}>{op.tokens > 0 ? formatShort(op.tokens) : ''}</td>
                <td class={css.number}>{op.cost ? formatCost(op.cost) : ''}</td>
                <td>
                  {op.cost ? (
                    <span class={css.costShare}>
                      <span
                        class={css.costBar}
                        style={{ width: `${(op.cost / dearest) * 100}%` }}
                        data-tip={formatShare(op.cost / costs)}
                      />
                    </span>
                  ) : null}
                </td>
                <td class={css.trend}>
                  <Sparkline values={op.trend} label={dashboardText.trendOf(op.name)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface OpsTableProps {
  /** One row an op. */
  readonly calls: readonly StatsRow[]
  /** One row an op and model. */
  readonly usage: readonly StatsRow[]
  readonly trends: readonly StatsRow[]
  readonly hrefOf: (op: string) => string
}

function opOf(row: StatsRow, usage: readonly StatsRow[], trends: readonly StatsRow[]) {
  const stored = row.group ?? ''
  const own = usage.filter(({ group }) => group === stored)
  const sum = (name: string) => own.reduce((total, used) => total + (statistic(used, name) ?? 0), 0)
  return {
    stored,
    name: wholeOpName(opName(stored)),
    calls: statistic(row, 'sum_call_count') ?? 0,
    errors: statistic(row, 'sum_error_count') ?? 0,
    p50: statistic(row, 'p50_latency_ms'),
    p95: statistic(row, 'p95_latency_ms'),
    p99: statistic(row, 'p99_latency_ms'),
    tokens: sum('sum_input_tokens') + sum('sum_output_tokens'),
    cost: own.length === 0 ? null : sum('sum_total_cost'),
    trend: trends.filter(({ group }) => group === stored).map((bucket) => statistic(bucket, 'sum_call_count') ?? 0),
  }
}
