import type { Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Series, seriesColor } from '../chart/series-values.ts'
import type { Span } from '../chart/span.ts'
import { TimeChart } from '../chart/time-chart.tsx'
import { Badge } from '../components/display/badge.tsx'
import { condition, type FilterNode } from '../filter/expression.ts'
import { formatCount, formatNumber, formatShare } from '../format/number.ts'
import { objectPath } from '../state/paths.ts'
import { feedbackText } from '../text/feedback.ts'
import { barsOf, type Distribution, filterPath, type Subject } from './distributions.ts'
import css from './subject-card.module.css'

interface SubjectCardProps {
  readonly projectId: string
  readonly subject: Subject
  readonly span: Span
  /** Length of the buckets of trends. */
  readonly stepMs: number
  readonly hovered: Signal<number | undefined>
  /** Address of the calls that match, of the range or of a part of it. */
  readonly hrefOf: (filter: FilterNode | undefined, part?: Span) => string
  readonly onOpen: (filter: FilterNode, part: Span) => void
}

/** A member of the payloads of feedback: its values by version, and their trend. */
export function SubjectCard({ projectId, subject, span, stepMs, hovered, hrefOf, onOpen }: SubjectCardProps) {
  const { kind, name, path, versions } = subject
  const title = kind === 'reaction' || kind === 'note' ? feedbackText.kinds[kind] : name
  const hasMean = versions.some(({ distribution }) => distribution.mean !== null)
  const isShare = versions.every(({ distribution }) => distribution.value_type === 'boolean')
  const format = hasMean ? (isShare ? formatShare : formatNumber) : formatCount
  const { buckets, series } = useMemo(() => {
    const lines = versions.map(({ version, distribution }, at) => ({
      name: version === null ? feedbackText.anyVersion : shortDigest(version),
      color: seriesColor(at),
      total: hasMean ? distribution.mean : distribution.calls,
      trend: distribution.trend.map(({ timestamp, calls, mean }) => ({
        time: Date.parse(timestamp),
        value: hasMean ? mean : calls,
      })),
    }))
    return trendOf(lines, span, stepMs)
  }, [subject, span, stepMs])
  const anyVersion = condition(filterPath(subject, null), 'exists', [])
  return (
    <section class={css.card} aria-label={`${title} ${path}`}>
      <header class={css.head}>
        <h2 dir="auto">{title}</h2>
        <code>{path}</code>
        {kind !== 'reaction' && kind !== 'note' && <Badge tone="outline">{feedbackText.kinds[kind]}</Badge>}
      </header>
      <div class={css.versions}>
        {versions.map(({ version, runnable_ref, distribution }) => (
          <div key={version} class={css.version}>
            <p class={css.sums}>
              {version !== null && runnable_ref !== null && (
                <a href={objectPath(projectId, name, version)}>{feedbackText.version(shortDigest(version))}</a>
              )}
              <a href={hrefOf(condition(filterPath(subject, version), 'exists', []))}>
                {feedbackText.calls(formatCount(distribution.calls))}
              </a>
              {distribution.mean !== null && (
                <span>
                  {distribution.value_type === 'boolean'
                    ? `${formatShare(distribution.mean)} ${feedbackText.share}`
                    : `${feedbackText.mean} ${formatNumber(distribution.mean)}`}
                </span>
              )}
            </p>
            <Bars distribution={distribution} path={filterPath(subject, version)} hrefOf={hrefOf} />
          </div>
        ))}
      </div>
      <TimeChart
        title={feedbackText.overTime(path)}
        buckets={buckets}
        span={span}
        series={series}
        kind={hasMean ? 'lines' : 'bars'}
        format={format}
        isCount={!hasMean}
        height={96}
        hovered={hovered}
        onOpen={(part) => onOpen(anyVersion, part)}
      />
    </section>
  )
}

/** As much of a digest as the end of a line has room for. */
const shortDigest = (digest: string): string => digest.slice(0, 5)

interface BarsProps {
  readonly distribution: Distribution
  readonly path: string
  readonly hrefOf: SubjectCardProps['hrefOf']
}

/** Bars whose lengths compare with each other; each leads to its calls. */
function Bars({ distribution, path, hrefOf }: BarsProps) {
  const bars = barsOf(
    distribution,
    path,
    (value) => (typeof value === 'number' ? formatNumber(value) : String(value)),
    feedbackText.range,
  )
  const most = Math.max(1, ...bars.map(({ calls }) => calls))
  const { other_values: others } = distribution
  if (bars.length === 0) return <p class={css.note}>{feedbackText.texts(formatCount(others))}</p>
  return (
    <>
      <ul class={css.bars}>
        {bars.map(({ label, calls, filter }) => (
          <li key={label}>
            <a class={css.bar} href={hrefOf(filter)} aria-label={feedbackText.bar(label, formatCount(calls))}>
              <span class={css.label} dir="auto">
                {label}
              </span>
              <span class={css.track}>
                <span style={{ width: `${(100 * calls) / most}%` }} />
              </span>
              <span class={css.count}>{formatCount(calls)}</span>
            </a>
          </li>
        ))}
      </ul>
      {others > 0 && <p class={css.note}>{feedbackText.others(formatCount(others))}</p>}
    </>
  )
}

/** A line with values at the starts of its buckets. */
interface Line extends Pick<Series, 'name' | 'color' | 'total'> {
  readonly trend: readonly { readonly time: number; readonly value: number | null }[]
}

/** Buckets over a span, and the values of lines in them. Buckets without a value are empty. */
function trendOf(lines: readonly Line[], span: Span, stepMs: number): { buckets: Span[]; series: Series[] } {
  const known = lines.flatMap(({ trend }) => trend.map(({ time }) => time))
  const anchor = known.length === 0 ? span.from : Math.min(...known)
  const first = anchor - Math.ceil((anchor - span.from) / stepMs) * stepMs
  const count = Math.max(1, Math.ceil((span.to - first) / stepMs))
  const buckets = Array.from({ length: count }, (_, at) => ({
    from: Math.max(span.from, first + at * stepMs),
    to: Math.min(span.to, first + (at + 1) * stepMs),
  })).filter(({ from, to }) => from < to)
  const offset = Math.max(0, count - buckets.length)
  const series = lines.map(({ trend, ...line }): Series => {
    const values = new Array<number | null>(buckets.length).fill(null)
    // A change of the clock moves the starts of days by an hour.
    for (const { time, value } of trend) values[Math.round((time - first) / stepMs) - offset] = value
    return { ...line, values: values.slice(0, buckets.length) }
  })
  return { buckets, series }
}
