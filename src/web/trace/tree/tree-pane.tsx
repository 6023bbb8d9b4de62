import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Splitter } from '../../components/controls/splitter.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { remember, remembered } from '../../state/preferences.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { traceText } from '../../text/trace/trace.ts'
import { ancestorsOf } from '../skeleton.ts'
import { axisTicks } from '../timeline/time-axis.ts'
import type { TimeWindow } from '../trace-url.ts'
import css from './tree.module.css'
import { lineOf, lineTypes, type TreeLines } from './tree.ts'
import { type RowView, rowId, TreeRow } from './tree-row.tsx'

const nameWidth = { initial: 314, min: 140, max: 720, phone: 190 }
const nameWidthKey = 'trace.names'
const overscan = 8
/** Rows that are kept drawn. */
const drawnMax = 400
/** Widths beside the track, as the style sheet has them. */
const tokensWidth = 56
const trackGap = 12
const trackEnd = 16
const phoneEnd = 8
/** Ancestors that stay above the rows: the root and the nearest ones. */
const pinsMax = 4

interface TreePaneProps {
  readonly view: Omit<RowView, 'trackWidth' | 'window'> & { readonly window: TimeWindow }
  readonly lines: TreeLines
  readonly selectedRow: number
  readonly isOpen: (row: number, type: number) => boolean
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The tree with its waterfall. Only the rows in view exist. */
export function TreePane({ view, lines, selectedRow, isOpen, onKeyDown }: TreePaneProps) {
  const isPhone = useIsPhone()
  const rowHeight = isPhone ? 32 : 26
  const width = isPhone ? nameWidth.phone : (remembered(nameWidthKey, isNumber) ?? nameWidth.initial)
  const scroll = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState({ top: 0, height: 800, track: 600 })
  const { skeleton, window } = view

  const measure = () => {
    const element = scroll.current
    if (!element) return
    const beside = width + trackGap + (isPhone ? phoneEnd : tokensWidth + trackEnd)
    setBox({ top: element.scrollTop, height: element.clientHeight, track: element.clientWidth - beside })
  }
  useLayoutEffect(() => {
    measure()
    const resized = new ResizeObserver(measure)
    if (scroll.current) resized.observe(scroll.current)
    return () => resized.disconnect()
  }, [width, isPhone])

  const first = Math.max(0, Math.floor(box.top / rowHeight) - overscan)
  const last = Math.min(lines.length, Math.ceil((box.top + box.height) / rowHeight) + overscan)
  const pins = pinnedRows(view.skeleton, lines, Math.floor(box.top / rowHeight))
  const selectedLine = useMemo(
    () => (selectedRow < 0 ? -1 : lineOf(skeleton, lines, selectedRow)),
    [skeleton, lines, selectedRow],
  )

  // Keeps the visible rows in place when rows arrive above them.
  const anchor = useRef({ id: '', line: 0 })
  useLayoutEffect(() => {
    const element = scroll.current
    const { id, line } = anchor.current
    if (!element || id === '' || element.scrollTop === 0) return
    const row = skeleton.ids.indexOf(id)
    const moved = row < 0 ? 0 : lineOf(skeleton, lines, row) - line
    if (moved !== 0) element.scrollTop += moved * rowHeight
  }, [skeleton])
  useEffect(() => {
    const line = Math.min(lines.length - 1, Math.floor(box.top / rowHeight))
    if (line >= 0) anchor.current = { id: skeleton.id(lines.row(line)), line }
  }, [box.top, lines])

  const shown = useRef(-1)
  useEffect(() => {
    const element = scroll.current
    if (!element || selectedLine < 0 || shown.current === selectedRow) return
    shown.current = selectedRow
    const covered = Math.min(pinsMax, skeleton.depth(selectedRow)) * rowHeight
    const top = selectedLine * rowHeight
    if (top - covered < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = Math.max(0, top - Math.max(covered, element.clientHeight / 3))
    }
  }, [selectedRow, selectedLine])

  const rowView: RowView = { ...view, trackWidth: Math.max(40, box.track) }
  // Scrolling changes no row: one that was drawn is kept until something it shows changes.
  const drawn = useMemo(() => new Map<number, VNode>(), [view, lines, selectedLine, box.track])
  if (drawn.size > drawnMax) drawn.clear()
  const drawnRow = (line: number): VNode => {
    const known = drawn.get(line)
    if (known) return known
    const row = lines.row(line)
    const type = lines.type(line)
    const made = (
      <TreeRow
        key={`${type}${skeleton.id(row)}`}
        view={rowView}
        row={row}
        type={type}
        count={lines.count(line)}
        isOpen={isOpen(row, type)}
        isSelected={line === selectedLine}
      />
    )
    drawn.set(line, made)
    return made
  }
  const ticks = axisTicks(window, Math.max(2, Math.floor(box.track / 76)))
  const place = (at: number) => ((at - window.from) / (window.to - window.from || 1)) * box.track
  const selectedType = selectedLine < 0 ? 0 : lines.type(selectedLine)
  return (
    <div
      class={css.pane}
      style={{
        '--name-width': `${width}px`,
        '--view-height': `${box.height}px`,
        '--track-width': `${box.track}px`,
        position: 'relative',
      }}
    >
      <div class={css.axis} aria-hidden>
        <span class={css.axisName}>{traceText.call}</span>
        <span class={css.axisTokens}>{traceText.tokens}</span>
        <div class={css.axisTrack} style={{ width: `${box.track}px` }}>
          {ticks.map(({ at, label }) => {
            const left = place(at)
            const edge = left < 14 ? css.first : left > box.track - 16 ? css.last : undefined
            return (
              <span key={at} class={classNames(css.tick, edge)} style={{ left: `${left}px` }}>
                {label}
              </span>
            )
          })}
        </div>
      </div>
      <div class={css.split}>
        <Splitter
          width={width}
          min={nameWidth.min}
          max={nameWidth.max}
          initial={nameWidth.initial}
          label={traceText.widthOfNames}
          onChange={(next) => remember(nameWidthKey, next)}
        />
      </div>
      <div
        ref={scroll}
        class={css.scroll}
        role="tree"
        aria-label={traceText.calls}
        aria-activedescendant={
          selectedLine >= first && selectedLine < last ? rowId(lines.row(selectedLine), selectedType) : undefined
        }
        tabIndex={0}
        onScroll={measure}
        onKeyDown={onKeyDown}
      >
        <div class={css.pins} role="presentation">
          {pins.length > 0 && (
            <div class={css.pinsBox} aria-hidden>
              {pins.map((row) => (
                <TreeRow
                  key={row}
                  view={rowView}
                  row={row}
                  type={lineTypes.call}
                  count={0}
                  isOpen
                  isSelected={row === selectedRow}
                  isPinned
                />
              ))}
            </div>
          )}
        </div>
        <div class={css.grid} role="presentation">
          <div class={css.gridBox} aria-hidden>
            {ticks.map(({ at }) => (
              <span key={at} class={css.gridLine} style={{ left: `${place(at)}px` }} />
            ))}
          </div>
        </div>
        <div class={css.lines} role="presentation" style={{ height: `${lines.length * rowHeight}px` }}>
          <div class={css.block} role="presentation" style={{ top: `${first * rowHeight}px` }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, index) => drawnRow(first + index))}
          </div>
        </div>
      </div>
    </div>
  )
}

/** Ancestors of the first row in view that have scrolled out: the root and the nearest ones. */
function pinnedRows(skeleton: RowView['skeleton'], lines: TreeLines, topLine: number): number[] {
  if (topLine <= 0 || topLine >= lines.length) return []
  // Pins cover the rows below them, so the row that counts is the first one below the pins.
  let pins: number[] = []
  for (let count = 0; count <= pinsMax; count++) {
    const line = Math.min(lines.length - 1, topLine + count)
    const all = ancestorsOf(skeleton, lines.row(line)).filter((row) => lineOf(skeleton, lines, row) < line)
    pins = all.length <= pinsMax ? all : [...all.slice(0, 1), ...all.slice(1 - pinsMax)]
    if (pins.length <= count) return pins
  }
  return pins
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
