import type { Signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Span } from '../../chart/span.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { Legend } from '../../chart/time-chart.tsx'
import { bucketUnder, TimePlot } from '../../chart/time-plot.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { formatCount, formatShare } from '../../format/number.ts'
import { navigate } from '../../state/location.ts'
import { boardText } from '../../text/board.ts'
import type { CallsSource, Shape } from './board.ts'
import { callsHref } from './card-calls.ts'
import { addsUp, type CardData, formatsOf, type GroupSeries } from './card-data.ts'
import css from './card-view.module.css'
import { useCallsCard } from './use-card.ts'

interface CallsContentProps {
  readonly projectId: string
  readonly title: string
  readonly source: CallsSource
  readonly shape: Shape
  readonly data: CardData
  readonly span: Span
  readonly hovered: Signal<number | undefined>
}

const kinds = { line: 'lines', bars: 'bars', area: 'areas' } as const
const axisHeight = 26
const namedLinesMax = 4
const labelRoom = 108
/** Narrower cards have no room for names beside the lines. */
const roomyWidth = 480

/** What a card shows of calls: lines, bars, areas, a number or a table. */
export function CallsContent({ projectId, title, source, shape, data, span, hovered }: CallsContentProps) {
  const { buckets, series } = data
  const { format, formatTick, isCount, scaleOf } = formatsOf(source.metric)
  const href = (times: Span, one: GroupSeries | undefined) => callsHref(projectId, source, times, one?.group, series)
  if (shape === 'number') {
    const before = (value: number) => <Before projectId={projectId} source={source} span={span} value={value} />
    return <BigNumber data={data} format={format} title={title} href={href(span, undefined)} before={before} />
  }
  if (shape === 'table') {
    return <GroupTable title={title} source={source} data={data} hrefOf={(one) => href(span, one)} />
  }
  const at = bucketUnder(buckets, hovered)
  const kind = kinds[shape]
  return (
    <>
      {(series.length > 1 || series[0]?.group !== undefined || at >= 0) && (
        <div class={css.legend}>
          <Legend series={series} at={at < 0 ? undefined : at} kind={kind} format={format} />
        </div>
      )}
      <Measured>
        {(height, width) => (
          <TimePlot
            title={title}
            buckets={buckets}
            span={span}
            series={series}
            kind={kind}
            format={format}
            formatTick={formatTick}
            isCount={isCount}
            scaleOf={scaleOf}
            height={Math.max(24, height - axisHeight)}
            labelRoom={series.length > 1 && series.length <= namedLinesMax && width >= roomyWidth ? labelRoom : 0}
            hovered={hovered}
            onOpen={(bucket, under) =>
              navigate(
                href(
                  bucket,
                  series.find((one) => one === under),
                ),
              )
            }
          />
        )}
      </Measured>
    </>
  )
}

/** Room for a drawing, with its size. */
export function Measured({ children }: { children: (height: number, width: number) => preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const height = useHeight(box)
  return (
    <div ref={box} class={css.plot}>
      {height > 0 && <div class={css.drawn}>{children(height, box.current?.clientWidth ?? 0)}</div>}
    </div>
  )
}

interface BigNumberProps {
  readonly data: CardData
  readonly format: (value: number) => string
  readonly title: string
  readonly href: string
  readonly before: (value: number) => preact.ComponentChildren
}

/** One value for the whole range, over the same value in time. */
function BigNumber({ data, format, title, href, before }: BigNumberProps) {
  const [first] = data.series
  const value = data.total === undefined ? first?.total : data.total
  const only = data.series.length === 1 ? first : undefined
  return (
    <div class={css.number}>
      <a class={css.big} href={href}>
        {value == null ? '–' : format(value)}
      </a>
      {value != null && before(value)}
      {only && (
        <Sparkline
          values={only.values.map((one) => one ?? 0)}
          width={140}
          height={28}
          label={`${title}, ${boardText.trend}`}
        />
      )}
    </div>
  )
}

interface GroupTableProps {
  readonly title: string
  readonly source: CallsSource
  readonly data: CardData
  readonly hrefOf: (series: GroupSeries) => string
}

/** A row for each group, with its value and that over time. */
function GroupTable({ title, source, data, hrefOf }: GroupTableProps) {
  const { format } = formatsOf(source.metric)
  const hasShare = addsUp(source.metric) && data.series.length > 1 && (data.total ?? 0) > 0
  const unit = source.metric === 'score' ? boardText.metrics.score : boardText.metrics.calls
  return (
    <section class={css.scroller} aria-label={title} tabIndex={0}>
      <table class={css.table}>
        <thead>
          <tr>
            <th scope="col">{source.group.trim() || boardText.group}</th>
            <th scope="col" class={css.right}>
              {boardText.value}
            </th>
            {hasShare && (
              <th scope="col" class={css.right}>
                {boardText.share}
              </th>
            )}
            {source.metric !== 'calls' && (
              <th scope="col" class={css.right}>
                {unit}
              </th>
            )}
            <th scope="col" class={css.trend}>
              {boardText.trend}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.series.map((one) => (
            <tr key={one.name}>
              <th scope="row" class={css.groupName}>
                <span class={css.swatch} style={{ background: one.color }} />
                <a href={hrefOf(one)} dir="auto">
                  {one.name}
                </a>
              </th>
              <td class={css.right}>{one.total == null ? '–' : format(one.total)}</td>
              {hasShare && (
                <td class={classNames(css.right, css.grey)}>{formatShare((one.total ?? 0) / (data.total ?? 1))}</td>
              )}
              {source.metric !== 'calls' && <td class={classNames(css.right, css.grey)}>{formatCount(one.count)}</td>}
              <td class={css.trend}>
                <Sparkline
                  values={one.values.map((value) => value ?? 0)}
                  width={96}
                  label={`${one.name}, ${boardText.trend}`}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface BeforeProps {
  readonly projectId: string
  readonly source: CallsSource
  readonly span: Span
  readonly value: number
}

const words = boardText.before

/** How a value compares with that of the time before, of the same length. */
function Before({ projectId, source, span: { from, to }, value }: BeforeProps) {
  const { content } = useCallsCard(projectId, source, { from: from - (to - from), to: from })
  if (content === undefined) return <span class={css.note} aria-hidden />
  const was = content.total === undefined ? content.series[0]?.total : content.total
  if (content.count === 0 || was == null) return <span class={css.note}>{words.none}</span>
  return (
    <span class={css.note} data-tip={words.was(formatsOf(source.metric).format(was))}>
      {changeWords(value, was)}
    </span>
  )
}

function changeWords(value: number, was: number): string {
  if (value === was) return words.same
  if (was === 0) return words.none
  const share = formatShare(Math.abs(value - was) / was)
  return value > was ? words.higher(share) : words.lower(share)
}

/** Height of an element in pixels, followed as it changes; 0 until it is there. */
function useHeight(element: RefObject<Element | null>): number {
  const [height, setHeight] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const watch = new ResizeObserver(([entry]) => setHeight(Math.round(entry?.contentRect.height ?? 0)))
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [])
  return height
}
