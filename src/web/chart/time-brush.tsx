import type { TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { KeyHint } from '../components/controls/key-hint.tsx'
import { formatCount } from '../format/number.ts'
import { chartText } from '../text/chart.ts'
import { type Span, spanWords } from './span.ts'
import { type StatusBucket, summed, totalOf } from './status-buckets.ts'
import { TimeAxis } from './time-axis.tsx'
import css from './time-brush.module.css'
import { useWidth } from './use-width.ts'

/** A brush is moved and widened in buckets, within a span. */
interface BrushGrid extends Span {
  readonly step: number
  /** Where any bucket begins: the first one may be cut off. */
  readonly origin: number
}

/** The selection moved by a number of buckets; it stays whole at the ends. */
export function movedBrush(selection: Span | undefined, by: number, grid: BrushGrid): Span {
  const { from, to } = selection ?? firstBrush(grid)
  if (!selection) return { from, to }
  const length = to - from
  const next = Math.min(grid.to - length, Math.max(grid.from, from + by * grid.step))
  return { from: next, to: next + length }
}

/** The selection with its end moved by a number of buckets; at least one bucket is left. */
export function widenedBrush(selection: Span | undefined, by: number, grid: BrushGrid): Span {
  const { from, to } = selection ?? firstBrush(grid)
  if (!selection) return { from, to }
  return { from, to: Math.min(grid.to, Math.max(from + grid.step, to + by * grid.step)) }
}

/** The selection between two places of the pointer, to whole buckets. */
export function draggedBrush(one: number, other: number, grid: BrushGrid): Span {
  const [low, high] = one < other ? [one, other] : [other, one]
  const { origin, step } = grid
  const from = origin + Math.floor((low - origin) / step) * step
  const to = origin + Math.ceil((high - origin) / step) * step
  return { from: Math.max(grid.from, from), to: Math.min(grid.to, Math.max(to, from + grid.step)) }
}

/** The last tenth of the span, where the keys begin. */
function firstBrush({ from, to, step }: BrushGrid): Span {
  const length = Math.max(step, Math.round((to - from) / 10 / step) * step)
  return { from: Math.max(from, to - length), to }
}

/**
 * Calls over time as bars, and a brush over them that selects a part. Dragging selects, moves, and
 * widens at the edges; arrows move, with shift they widen, escape clears.
 */
export function TimeBrush({ buckets, span, selection, onSelect, noun, height = 56, legend = true }: TimeBrushProps) {
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const [drag, setDrag] = useState<Drag>()
  const [hovered, setHovered] = useState<number>()
  const step = Math.max(0, ...buckets.map(({ from, to }) => to - from)) || span.to - span.from
  const grid = { ...span, step, origin: buckets[1]?.from ?? span.from }
  const shown = drag ? draggedTo(drag) : selection
  const all = summed(buckets, span.from, span.to)
  const part = shown && summed(buckets, shown.from, shown.to)
  const highest = Math.max(1, ...buckets.map(totalOf))
  const x = (time: number) => ((time - span.from) / (span.to - span.from)) * width
  const timeAt = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect()
    return span.from + Math.min(1, Math.max(0, (clientX - box.left) / box.width)) * (span.to - span.from)
  }

  function draggedTo({ kind, start, now, was }: Drag): Span | undefined {
    if (kind === 'new') return start === now ? undefined : draggedBrush(start, now, grid)
    if (kind === 'move' || !was) return movedBrush(was, Math.round((now - start) / step), grid)
    return draggedBrush(kind === 'from' ? was.to - 1 : was.from, now, grid)
  }

  const press = (event: TargetedPointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return
    const time = timeAt(event)
    const near = (edge: number) => Math.abs(x(edge) - x(time)) <= edgePixels
    const kind = !selection
      ? 'new'
      : near(selection.from)
        ? 'from'
        : near(selection.to)
          ? 'to'
          : time > selection.from && time < selection.to
            ? 'move'
            : 'new'
    area.current?.setPointerCapture(event.pointerId)
    setDrag({ kind, start: time, now: time, was: selection })
  }

  const release = (): void => {
    if (!drag) return
    const moved = Math.abs(x(drag.now) - x(drag.start)) >= clickPixels
    setDrag(undefined)
    if (moved) onSelect(draggedTo(drag))
    else if (drag.kind === 'new') onSelect(selection ? undefined : draggedBrush(drag.start, drag.start + 1, grid))
  }

  const key = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key]
    if (event.key === 'Escape' && selection) onSelect(undefined)
    else if (by !== undefined) onSelect((event.shiftKey ? widenedBrush : movedBrush)(selection, by, grid))
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const over = hovered === undefined ? undefined : buckets[hovered]
  const words = shown && part ? chartText.selected(spanWords(shown), noun(totalOf(part))) : undefined
  return (
    <div class={css.block}>
      {legend && (
        <div class={css.legend}>
          <strong class={css.total}>{noun(totalOf(all))}</strong>
          {all.ok > 0 && <Key tone="ok" count={all.ok} word={chartText.ok} />}
          {all.running > 0 && <Key tone="running" count={all.running} word={chartText.running} />}
          {all.inside > 0 && <Key tone="inside" count={all.inside} word={chartText.inside(all.inside)} />}
          {all.error > 0 && <Key tone="error" count={all.error} word={chartText.errors(all.error)} />}
          <span class={css.said}>
            {over && !drag ? bucketWords(over, noun) : words}
            {words !== undefined && !over && (
              <span class={css.clears}>
                <KeyHint keys="esc" /> {chartText.clears}
              </span>
            )}
          </span>
        </div>
      )}
      <div
        ref={area}
        class={css.area}
        style={{ height: `${height}px` }}
        role="slider"
        tabIndex={0}
        aria-label={chartText.brush}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={buckets.length}
        aria-valuenow={shown ? Math.round((shown.from - span.from) / step) : 0}
        aria-valuetext={words ?? chartText.nothingSelected}
        onPointerDown={press}
        onPointerMove={(event) => {
          const time = timeAt(event)
          if (drag) setDrag({ ...drag, now: time })
          setHovered(buckets.findIndex((bucket) => time >= bucket.from && time < bucket.to))
        }}
        onPointerLeave={() => setHovered(undefined)}
        onPointerUp={release}
        onPointerCancel={() => setDrag(undefined)}
        onKeyDown={key}
      >
        {shown && (
          <div class={css.fill} style={{ left: `${x(shown.from)}px`, width: `${x(shown.to) - x(shown.from)}px` }} />
        )}
        <svg width={width} height={height} class={css.bars} aria-hidden>
          {buckets.map((bucket) => {
            const isIn = !shown || (bucket.to > shown.from && bucket.from < shown.to)
            return (
              <Bar
                key={bucket.from}
                bucket={bucket}
                left={x(bucket.from)}
                width={Math.max(1, x(bucket.to) - x(bucket.from) - 1.5)}
                height={height}
                scale={(height - 4) / highest}
                isIn={isIn}
              />
            )
          })}
        </svg>
        {shown && (
          <>
            <div class={css.edge} style={{ left: `${x(shown.from)}px` }} />
            <div class={css.edge} style={{ left: `${x(shown.to)}px` }} />
          </>
        )}
      </div>
      <TimeAxis from={span.from} to={span.to} width={width} />
      <BucketTable buckets={buckets} noun={noun} />
    </div>
  )
}

const edgePixels = 6
const clickPixels = 3

interface Drag {
  readonly kind: 'new' | 'move' | 'from' | 'to'
  readonly start: number
  readonly now: number
  readonly was: Span | undefined
}

interface TimeBrushProps {
  readonly buckets: readonly StatusBucket[]
  readonly span: Span
  readonly selection: Span | undefined
  readonly onSelect: (selection: Span | undefined) => void
  /** `2,898 traces` */
  readonly noun: (count: number) => string
  readonly height?: number
  readonly legend?: boolean
}

function bucketWords(bucket: StatusBucket, noun: (count: number) => string): string {
  const errors = bucket.error > 0 ? `, ${formatCount(bucket.error)} ${chartText.errors(bucket.error)}` : ''
  return `${spanWords(bucket)} · ${noun(totalOf(bucket))}${errors}`
}

const Key = ({ tone, count, word }: { tone: 'ok' | 'inside' | 'running' | 'error'; count: number; word: string }) => (
  <span class={css.key}>
    <span class={css[tone]} />
    {formatCount(count)} {word}
  </span>
)

/** Errors start at the base line, so that they can be compared. */
function Bar({ bucket, left, width, height, scale, isIn }: BarProps) {
  let bottom = height
  return (
    <g opacity={isIn ? 1 : 0.45}>
      {parts.map((part) => {
        if (bucket[part] === 0) return null
        const tall = Math.max(1, bucket[part] * scale)
        bottom -= tall
        return <rect key={part} class={css[`${part}Bar`]} x={left} y={bottom} width={width} height={tall} rx={0.5} />
      })}
    </g>
  )
}

/** From the base line up. */
const parts = ['error', 'inside', 'ok', 'running'] as const

interface BarProps {
  readonly bucket: StatusBucket
  readonly left: number
  readonly width: number
  readonly height: number
  readonly scale: number
  readonly isIn: boolean
}

/** The same numbers for screen readers. */
const BucketTable = ({ buckets, noun }: { buckets: readonly StatusBucket[]; noun: (count: number) => string }) => (
  <div class="sr-only">
    <table>
      <caption>{chartText.overTime}</caption>
      <tbody>
        {buckets
          .filter((bucket) => totalOf(bucket) > 0)
          .map((bucket) => (
            <tr key={bucket.from}>
              <th scope="row">{spanWords(bucket)}</th>
              <td>{noun(totalOf(bucket))}</td>
              <td>
                {formatCount(bucket.error)} {chartText.error}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  </div>
)
