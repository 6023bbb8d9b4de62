import type { TargetedPointerEvent } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { kindColor, kindOf as knownKind } from '../../components/display/kinds.ts'
import { formatDuration } from '../../format/duration.ts'
import { preferences } from '../../state/preferences.ts'
import { traceText } from '../../text/trace/trace.ts'
import { endOf, type Skeleton } from '../skeleton.ts'
import type { TimeWindow } from '../trace-url.ts'
import css from './minimap.module.css'

/** Lanes of a minimap: calls with children at the top, leaves, everything deeper. */
const minimapLanes = 3

/** Each pixel holds the kind of the call it shows plus 1, or 0. */
interface MinimapPixels {
  readonly lanes: readonly Uint16Array[]
  /** 1 where a call failed. */
  readonly errors: Uint8Array
}

/** Paints the calls of a trace of `length` milliseconds `width` pixels wide, later calls on top. */
export function minimapPixels(skeleton: Skeleton, width: number, length: number, now: number): MinimapPixels {
  const lanes = Array.from({ length: minimapLanes }, () => new Uint16Array(width))
  const errors = new Uint8Array(width)
  const scale = length > 0 ? width / length : 0
  for (let row = 0; row < skeleton.size; row++) {
    const depth = skeleton.depth(row)
    const from = Math.min(width - 1, Math.floor(skeleton.start(row) * scale))
    const to = Math.min(width, Math.max(from + 1, Math.round(endOf(skeleton, row, now) * scale)))
    itemAt(lanes, laneOf(skeleton, row)).fill(skeleton.kind(row) + 1, from, to)
    if (skeleton.statuses[skeleton.status(row)] === 'error' && depth > 0) errors.fill(1, from, to)
  }
  return { lanes, errors }
}

function laneOf({ depth, childCount }: Skeleton, row: number): number {
  if (depth(row) > 2) return 2
  return childCount(row) > 0 ? (depth(row) < 2 ? 0 : 1) : 1
}

/** Stretches of equal pixels that are not 0. */
export function stretches(pixels: Uint16Array | Uint8Array): { from: number; to: number; value: number }[] {
  const found: { from: number; to: number; value: number }[] = []
  for (let from = 0; from < pixels.length; ) {
    const value = itemAt(pixels, from)
    let to = from + 1
    while (to < pixels.length && pixels[to] === value) to++
    if (value > 0) found.push({ from, to, value })
    from = to
  }
  return found
}

const height = 32
/** Top and height of each lane. */
const lanePlaces = [
  [6, 4],
  [13, 9],
  [24, 5],
] as const
/** Share of the whole that arrows move an edge by. */
const step = 0.02
const shareMin = 0.002

interface MinimapProps {
  readonly skeleton: Skeleton
  /** Milliseconds. */
  readonly length: number
  readonly now: number
  readonly window: TimeWindow
  /** Undefined for the whole trace. */
  readonly onChange: (window: TimeWindow | undefined, isFinal: boolean) => void
}

/** The whole trace at a glance, with the part of its time that the waterfall shows. */
export function Minimap({ skeleton, length, now, window, onChange }: MinimapProps) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(600)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(Math.max(1, Math.floor(element.clientWidth)))
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  const pixels = useMemo(() => minimapPixels(skeleton, width, length, now), [skeleton, width, length])
  const theme = useTheme()
  useEffect(() => {
    if (canvas.current) draw(canvas.current, pixels, skeleton, width)
  }, [pixels, width, theme])

  const drag = useDrag(box, length, window, onChange)
  const left = (window.from / (length || 1)) * 100
  const right = (window.to / (length || 1)) * 100
  const isWhole = window.from <= 0 && window.to >= length
  const moveEdge = (edge: 'from' | 'to') => (event: KeyboardEvent) => {
    const sign = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }[event.key]
    if (event.key === 'Escape' && !isWhole) onChange(undefined, true)
    if (sign === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const by = sign * step * length * (event.shiftKey ? 5 : 1)
    const moved = { ...window, [edge]: window[edge] + by }
    onChange(clamp(moved, length), true)
  }
  const handle = (edge: 'from' | 'to') => (
    <span
      role="slider"
      tabIndex={0}
      aria-label={edge === 'from' ? traceText.minimapFrom : traceText.minimapTo}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(window[edge])}
      aria-valuetext={formatDuration(window[edge])}
      class={css.handle}
      data-edge={edge}
      onKeyDown={moveEdge(edge)}
    />
  )
  return (
    <div class={css.strip}>
      <div
        ref={box}
        class={css.map}
        role="group"
        aria-label={traceText.minimap}
        onPointerDown={drag.start}
        onPointerMove={drag.move}
        onPointerUp={drag.end}
        onPointerCancel={drag.end}
        onDblClick={() => onChange(undefined, true)}
        onWheel={(event) => {
          event.preventDefault()
          const at = ((event.clientX - event.currentTarget.getBoundingClientRect().left) / width) * length
          const factor = Math.exp(Math.sign(event.deltaY) * 0.2)
          const next = { from: at - (at - window.from) * factor, to: at + (window.to - at) * factor }
          onChange(clamp(next, length), true)
        }}
      >
        <canvas ref={canvas} class={css.canvas} aria-hidden />
        <span class={css.veil} style={{ left: 0, width: `${left}%` }} />
        <span class={css.veil} style={{ left: `${right}%`, right: 0 }} />
        <span
          class={css.window}
          data-whole={isWhole || undefined}
          style={{ left: `${left}%`, width: `${right - left}%` }}
        >
          {handle('from')}
          {handle('to')}
        </span>
      </div>
    </div>
  )
}

/** The window, at least a little wide and inside of the trace; undefined where it is all of it. */
function clamp({ from, to }: TimeWindow, length: number): TimeWindow | undefined {
  const least = shareMin * length
  const start = Math.min(Math.max(0, from), length - least)
  const end = Math.max(Math.min(length, to), start + least)
  return start <= 0 && end >= length ? undefined : { from: start, to: end }
}

type Drag = {
  readonly mode: 'from' | 'to' | 'move' | 'new'
  readonly at: number
  readonly window: TimeWindow
  moved: boolean
}

function useDrag(
  box: { readonly current: HTMLDivElement | null },
  length: number,
  window: TimeWindow,
  onChange: MinimapProps['onChange'],
) {
  const drag = useRef<Drag | undefined>(undefined)
  const timeAt = (event: TargetedPointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return ((event.clientX - left) / width) * length
  }
  const next = (event: TargetedPointerEvent<HTMLElement>, { mode, at, window: begun }: Drag): TimeWindow => {
    const time = timeAt(event)
    if (mode === 'new') return { from: Math.min(at, time), to: Math.max(at, time) }
    if (mode === 'move') {
      const by = Math.min(Math.max(time - at, -begun.from), length - begun.to)
      return { from: begun.from + by, to: begun.to + by }
    }
    return mode === 'from'
      ? { from: Math.min(time, begun.to), to: begun.to }
      : { from: begun.from, to: Math.max(time, begun.from) }
  }
  return {
    start: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0 || !box.current) return
      box.current.setPointerCapture(event.pointerId)
      const named = event.target instanceof HTMLElement ? event.target.dataset['edge'] : undefined
      const edge = named === 'from' || named === 'to' ? named : undefined
      const at = timeAt(event)
      const isWhole = window.from <= 0 && window.to >= length
      const isInside = at >= window.from && at <= window.to
      drag.current = { mode: edge ?? (isInside && !isWhole ? 'move' : 'new'), at, window, moved: false }
    },
    move: (event: TargetedPointerEvent<HTMLElement>) => {
      const begun = drag.current
      if (!begun) return
      const width = box.current?.clientWidth ?? 1
      if (Math.abs(timeAt(event) - begun.at) * (width / (length || 1)) > 3) begun.moved = true
      if (begun.moved) onChange(clamp(next(event, begun), length), false)
    },
    end: (event: TargetedPointerEvent<HTMLElement>) => {
      const begun = drag.current
      drag.current = undefined
      if (begun?.moved) onChange(clamp(next(event, begun), length), true)
    },
  }
}

/** Changes whenever the colours do. */
function useTheme(): string {
  const [systemIsDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const list = matchMedia('(prefers-color-scheme: dark)')
    const follow = () => setDark(list.matches)
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [])
  return `${preferences.value.theme} ${systemIsDark}`
}

function draw(canvas: HTMLCanvasElement, { lanes, errors }: MinimapPixels, skeleton: Skeleton, width: number): void {
  const scale = devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(scale, scale)
  const colorOf = resolver(canvas)
  for (const [lane, pixels] of lanes.entries()) {
    const [top, high] = itemAt(lanePlaces, lane)
    for (const { from, to, value } of stretches(pixels)) {
      context.fillStyle = colorOf(kindColor(knownKind(skeleton.kinds[value - 1])))
      // A gap of a pixel separates neighbours where there is space.
      context.fillRect(from, top, Math.max(1, to - from - (to - from > 3 ? 1 : 0)), high)
    }
  }
  context.fillStyle = colorOf('var(--error-fill)')
  for (const { from, to } of stretches(errors)) context.fillRect(from, 4, Math.max(2, to - from), height - 4)
}

/** Resolves colours that are CSS values, which a canvas does not know. */
function resolver(canvas: HTMLCanvasElement): (value: string) => string {
  const known = new Map<string, string>()
  return (value) => {
    const found = known.get(value)
    if (found !== undefined) return found
    canvas.style.color = value
    const color = getComputedStyle(canvas).color
    canvas.style.color = ''
    known.set(value, color)
    return color
  }
}
