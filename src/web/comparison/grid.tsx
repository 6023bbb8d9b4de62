import { Check, ChevronDown, ChevronRight, ChevronUp, X } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ComparedRows } from '../../domains/evaluations/index.ts'
import { scoreText } from '../../lib/comparison-words.ts'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { StatusIcon } from '../components/display/status-icon.tsx'
import { formatDuration } from '../format/duration.ts'
import { queries } from '../state/query-signal.ts'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { type LetteredRun, pageRows, type RowsAsked, rowsQuery } from './comparison-data.ts'
import css from './grid.module.css'
import { RunMark } from './run-mark.tsx'

type Row = ComparedRows['rows'][number]
type Cell = Row['runs'][number]

const rowHeight = 34
const overscan = 6

/** What the grid lets its view do. */
export interface GridHandle {
  /** The row at a place, if it has been read. */
  readonly rowAt: (place: number) => Row | undefined
  readonly show: (place: number) => void
}

interface GridProps {
  readonly asked: RowsAsked
  readonly first: ComparedRows
  readonly runs: readonly LetteredRun[]
  readonly nameOf: (id: string) => string
  /** Place of the row under the cursor. */
  readonly at: number
  /** Digest of the row that is unfolded. */
  readonly open: string
  readonly onRow: (place: number, digest: string | undefined) => void
  readonly unfolded: (row: Row) => ComponentChildren
  readonly grid: RefObject<GridHandle | null>
}

/** Rows beside runs: only those in view exist, and pages are read as they come into view. */
export function Grid({ asked, first, runs, nameOf, at, open, onRow, unfolded, grid }: GridProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(() => ({ top: 0, height: Math.min(900, innerHeight) }))
  const [extra, setExtra] = useState(0)
  const pages = usePages(asked, first)
  const rowAt = (place: number) => pages.get(Math.floor(place / pageRows))?.rows[place % pageRows]
  const total = first.total_rows
  const openAt = open === '' ? -1 : placeOf(pages, open)
  const below = (place: number) => (openAt >= 0 && place > openAt ? extra : 0)
  const measure = () => box.current && setView({ top: box.current.scrollTop, height: box.current.clientHeight })
  useLayoutEffect(() => {
    const resized = new ResizeObserver(measure)
    if (box.current) resized.observe(box.current)
    return () => resized.disconnect()
  }, [])
  const from = Math.max(0, Math.floor((view.top - (openAt >= 0 ? extra : 0)) / rowHeight) - overscan)
  const to = Math.min(total, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  useEffect(
    () => pages.want(Math.floor(from / pageRows), Math.floor(Math.max(from, to - 1) / pageRows)),
    [from, to, asked],
  )
  grid.current = {
    rowAt,
    show: (place) => {
      const element = box.current
      if (!element) return
      const top = place * rowHeight + below(place)
      if (top < element.scrollTop) element.scrollTop = top
      else if (top + rowHeight > element.scrollTop + element.clientHeight - 27)
        element.scrollTop = top + rowHeight - element.clientHeight + 27
    },
  }
  const scoreIndex = first.scores.findIndex(({ score }) => score === first.score)
  return (
    <div
      ref={box}
      class={css.grid}
      role="treegrid"
      aria-label={comparisonText.rows}
      aria-rowcount={total + 1}
      tabIndex={0}
      onScroll={measure}
      style={{ '--runs': runs.length }}
    >
      <div class={classNames(css.row, css.head)} role="row">
        <span role="columnheader" class={css.input}>
          {comparisonText.rowInput}
        </span>
        {runs.map(({ id, place }, index) => {
          const slice = first.runs[index]
          return (
            <span key={id} role="columnheader" class={css.cell}>
              <RunMark place={place} letter />
              <bdi class="cut">{nameOf(id)}</bdi>
              {slice && slice.value !== null && (
                <span class={css.side}>
                  {comparisonText.average(
                    scoreText(first.scores[scoreIndex]?.kind ?? 'mean', slice.value),
                    slice.scored_rows,
                  )}
                </span>
              )}
            </span>
          )
        })}
      </div>
      <div
        role="presentation"
        style={{ position: 'relative', height: `${total * rowHeight + (openAt >= 0 ? extra : 0)}px` }}
      >
        {Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).map((place) => {
          const row = rowAt(place)
          const isOpen = place === openAt
          return (
            <div
              key={place}
              role="presentation"
              class={css.place}
              style={{ top: `${place * rowHeight + below(place)}px` }}
            >
              <div
                role="row"
                aria-rowindex={place + 2}
                aria-expanded={row ? isOpen : undefined}
                class={classNames(css.row, css.line, place === at && css.current, isOpen && css.open)}
                onClick={() => row && onRow(place, isOpen ? '' : row.row_digest)}
              >
                {row ? (
                  <>
                    <span role="rowheader" class={css.input}>
                      <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
                      <span class={css.number}>{String(row.number).padStart(3, '0')}</span>
                      <bdi class="cut">{row.input}</bdi>
                    </span>
                    {row.runs.map((cell, index) => (
                      <span key={runs[index]?.id ?? index} role="gridcell" class={css.cell}>
                        <CellOfRun cell={cell} scores={first.scores} index={scoreIndex} />
                      </span>
                    ))}
                  </>
                ) : (
                  <span role="rowheader" class={css.input}>
                    <span class={css.bar} />
                  </span>
                )}
              </div>
              {isOpen && row && <Measured onHeight={setExtra}>{unfolded(row)}</Measured>}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The pages that have been read; the first is there. */
function usePages(asked: RowsAsked, first: ComparedRows) {
  const key = JSON.stringify(asked)
  const read = useRef({ key, pages: new Map<number, ComparedRows>() })
  const [, render] = useState(0)
  if (read.current.key !== key) read.current = { key, pages: new Map() }
  read.current.pages.set(0, first)
  const { pages } = read.current
  const want = (from: number, to: number) => {
    for (let page = from; page <= to; page++) {
      if (pages.has(page) || page * pageRows >= first.total_rows) continue
      const mine = read.current
      void queries
        .fetchQuery(rowsQuery(asked, page))
        .then((answer) => {
          mine.pages.set(page, answer)
          if (read.current === mine) render((count) => count + 1)
        })
        // It is asked for again when it next comes into view; an outage is shown by the shell.
        .catch(() => undefined)
    }
  }
  return { get: (page: number) => pages.get(page), all: () => pages.entries(), want }
}

function placeOf(pages: ReturnType<typeof usePages>, digest: string): number {
  for (const [page, { rows }] of pages.all()) {
    const index = rows.findIndex(({ row_digest }) => row_digest === digest)
    if (index >= 0) return page * pageRows + index
  }
  return -1
}

function Measured({ onHeight, children }: { onHeight: (height: number) => void; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const resized = new ResizeObserver(() => onHeight(element.offsetHeight))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  return <div ref={box}>{children}</div>
}

interface CellProps {
  readonly cell: Cell
  readonly scores: ComparedRows['scores']
  /** Of the score that rows are compared by. */
  readonly index: number
}

function CellOfRun({ cell, scores, index }: CellProps) {
  if (cell === null) return <span class={css.none}>{comparisonText.notInRun}</span>
  const { values, change, latency_seconds: seconds, exception } = cell
  const value = values[index] ?? null
  if (value === null && cell.failed_trial_count === cell.trial_count) {
    return (
      <span class={css.failed}>
        <StatusIcon status="error" hidden />
        <bdi class="cut">{exception ?? comparisonText.failedCell}</bdi>
      </span>
    )
  }
  const second = scores.findIndex((_, at) => at !== index)
  const other = values[second]
  const name = scores[second]
  return (
    <>
      {value === null ? (
        <span class={css.unscored}>{comparisonText.unscored}</span>
      ) : (
        <>
          {(value === 0 || value === 1) && scores[index]?.kind === 'rate' && (
            <Icon of={value === 1 ? Check : X} size={14} class={value === 1 ? css.won : css.none} />
          )}
          <span class={css.value}>
            {scores[index]?.kind === 'rate' ? Number(value.toFixed(2)) : scoreText('mean', value)}
          </span>
        </>
      )}
      {change !== null && (
        <span class={change === 'lost' ? css.lost : css.won}>
          <Icon of={change === 'lost' ? ChevronDown : ChevronUp} size={14} />
          {change === 'lost' ? comparisonText.lost : comparisonText.won}
        </span>
      )}
      {name && other != null && (
        <span class={css.judge}>
          <bdi class="cut">{name.score.split('.')[0]}</bdi> <span>{Number(other.toPrecision(3))}</span>
        </span>
      )}
      {seconds !== null && (
        <span class={css.side}>
          {name && other != null && '· '}
          {formatDuration(seconds * 1000)}
        </span>
      )}
    </>
  )
}
