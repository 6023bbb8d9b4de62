import { ChevronDown, ChevronRight, MessageSquareText } from 'lucide'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { KindIcon } from '../../components/display/kind-icon.tsx'
import { kindColor, kindOf as knownKind } from '../../components/display/kinds.ts'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { statusOf as knownStatus, statusName } from '../../components/display/statuses.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCost, formatCount, formatShort } from '../../format/number.ts'
import { traceText } from '../../text/trace/trace.ts'
import { endOf, kindOf, nameOf, type Skeleton } from '../skeleton.ts'
import type { TimeWindow } from '../trace-url.ts'
import { indentDepthMax, lineTypes } from './tree.ts'
import css from './tree-row.module.css'

/** A bar of less would not be seen. */
const widthMin = 2
const labelGap = 6
/** Width of a character of the labels on bars. */
const charWidth = 6.8

/** Positions of a bar and its label on a track, in pixels. */
interface BarPlace {
  readonly left: number
  readonly width: number
  /** Whether the bar goes on beyond the window. */
  readonly isCutLeft: boolean
  readonly isCutRight: boolean
  /** Left edge of the label; undefined where there is no space. */
  readonly label: number | undefined
}

/** Places a bar from `start` to `end`, in milliseconds; undefined outside of the window. */
function placeBar(
  { from, to }: TimeWindow,
  trackWidth: number,
  start: number,
  end: number,
  labelChars: number,
): BarPlace | undefined {
  const scale = trackWidth / (to - from || 1)
  const wanted = Math.max(widthMin, (end - start) * scale)
  const exact = (start - from) * scale
  if (exact + wanted < 0 || exact > trackWidth) return undefined
  const left = Math.min(Math.max(0, exact), trackWidth - widthMin)
  const right = Math.min(trackWidth, Math.max(exact + wanted, left + widthMin))
  const labelWidth = labelChars * charWidth
  const after = right + labelGap
  const before = left - labelGap - labelWidth
  const label = after + labelWidth <= trackWidth ? after : before >= 0 ? before : undefined
  return { left, width: right - left, isCutLeft: exact < -0.5, isCutRight: exact + wanted > trackWidth + 0.5, label }
}

/** Properties shared by all rows of a tree. */
export interface RowView {
  readonly skeleton: Skeleton
  readonly window: TimeWindow
  readonly trackWidth: number
  /** Milliseconds after the start of the trace. */
  readonly now: number
  /** Marks of the critical path, if it is shown. */
  readonly path: Uint8Array | undefined
  readonly isFound: (row: number) => boolean
  readonly onSelect: (row: number) => void
  readonly onToggle: (row: number, type: number) => void
}

interface RowProps {
  readonly view: RowView
  readonly row: number
  /** A value of `lineTypes`. */
  readonly type: number
  readonly count: number
  readonly isOpen: boolean
  readonly isSelected: boolean
  /** Rows pinned above the others are there for the eye only. */
  readonly isPinned?: boolean
}

export const rowId = (row: number, type: number): string => `call-${row}-${type}`

/** A line of the tree with its bar. */
export function TreeRow({ view, row, type, count, isOpen, isSelected, isPinned = false }: RowProps) {
  const { skeleton, path } = view
  const isCall = type === lineTypes.call
  const depth = skeleton.depth(row) + (type === lineTypes.more ? 1 : 0)
  const status = knownStatus(skeleton.statuses[skeleton.status(row)])
  const hasFailed = isCall && status === 'error'
  const parent = skeleton.parent(row)
  const canOpen = isCall ? skeleton.childCount(row) > 0 : type === lineTypes.run
  const name = nameOf(skeleton, row)
  const access = isPinned
    ? { 'aria-hidden': true as const }
    : {
        id: rowId(row, type),
        role: 'treeitem' as const,
        'aria-level': depth + 1,
        'aria-posinset': skeleton.position(row),
        'aria-setsize': parent < 0 ? -1 : skeleton.childCount(parent),
        'aria-selected': isSelected,
        'aria-expanded': canOpen ? isOpen : undefined,
        'aria-label': labelOf(view, row, type, count),
      }
  return (
    <div
      {...access}
      class={classNames(
        css.row,
        isSelected && css.selected,
        hasFailed && css.failed,
        isPinned && css.pinned,
        path && path[row] === 0 && css.offPath,
      )}
      onClick={() => (type === lineTypes.more ? view.onToggle(row, type) : view.onSelect(row))}
    >
      <span class={css.name} style={{ '--indent': Math.min(depth, indentDepthMax) }}>
        <span class={css.guides} />
        {depth > indentDepthMax && <span class={css.depth}>{depth}</span>}
        {canOpen ? (
          <span
            class={css.chevron}
            onClick={(event) => {
              event.stopPropagation()
              view.onToggle(row, type)
            }}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
          </span>
        ) : (
          <span class={css.noChevron} />
        )}
        {type === lineTypes.more ? (
          <span class={css.more}>{traceText.moreChildren(formatCount(count))}</span>
        ) : (
          <>
            <KindIcon kind={knownKind(kindOf(skeleton, row))} hidden />
            <span class={classNames('cut', css.word, view.isFound(row) && css.found)} title={name}>
              {name}
            </span>
            {isCall && status !== 'success' && <StatusIcon status={status} size={14} hidden />}
            {type === lineTypes.run ? (
              <span class={css.count}>{traceText.run(formatCount(count))}</span>
            ) : (
              canOpen && <span class={css.count}>{formatShort(skeleton.childCount(row))}</span>
            )}
            {isCall && skeleton.feedbackCount(row) > 0 && (
              <span class={css.feedback}>
                <Icon of={MessageSquareText} size={12} />
                {skeleton.feedbackCount(row)}
              </span>
            )}
          </>
        )}
      </span>
      <span class={css.tokens}>{type === lineTypes.more ? '' : tokensOf(skeleton, row, type, count)}</span>
      <span class={css.track}>
        {type !== lineTypes.more && <Bar view={view} row={row} type={type} count={count} />}
      </span>
    </div>
  )
}

function Bar({ view, row, type, count }: { view: RowView; row: number; type: number; count: number }) {
  const { skeleton, window, trackWidth, now } = view
  const isRun = type === lineTypes.run
  const start = skeleton.start(row)
  const end = isRun ? lastEnd(skeleton, row, count, now) : endOf(skeleton, row, now)
  const isRunning = !isRun && Number.isNaN(skeleton.duration(row))
  const label = formatDuration(end - start)
  const place = placeBar(window, trackWidth, start, end, label.length)
  if (!place) return null
  const status = isRun ? 'success' : skeleton.statuses[skeleton.status(row)]
  const color = status === 'error' ? 'var(--error-fill)' : kindColor(knownKind(kindOf(skeleton, row)))
  return (
    <>
      <span
        class={classNames(
          css.bar,
          !isRun && skeleton.childCount(row) > 0 && css.parent,
          isRun && css.many,
          status === 'error' && css.errorBar,
          isRunning && css.running,
          (place.isCutLeft || isRunning) && place.isCutLeft && css.cutLeft,
          place.isCutRight && css.cutRight,
        )}
        style={{ left: `${place.left}px`, width: `${place.width}px`, '--bar-color': color }}
      />
      {place.label !== undefined && (
        <span class={css.label} style={{ left: `${place.label}px` }}>
          {label}
        </span>
      )}
    </>
  )
}

function lastEnd(skeleton: Skeleton, first: number, count: number, now: number): number {
  let end = 0
  for (let row = first; row < first + count; row++) end = Math.max(end, endOf(skeleton, row, now))
  return end
}

function tokensOf(skeleton: Skeleton, row: number, type: number, count: number): string {
  let tokens = skeleton.totalTokens(row)
  if (type === lineTypes.run) {
    for (let each = row + 1; each < row + count; each++) tokens += skeleton.totalTokens(each)
  }
  return tokens > 0 ? formatShort(tokens) : ''
}

function labelOf({ skeleton, now }: RowView, row: number, type: number, count: number): string {
  const name = nameOf(skeleton, row)
  if (type === lineTypes.more) return `${name}: ${traceText.moreChildren(formatCount(count))}`
  if (type === lineTypes.run) return `${name}, ${traceText.run(formatCount(count))}`
  const status = statusName(knownStatus(skeleton.statuses[skeleton.status(row)]))
  const cost = skeleton.totalCost(row)
  const parts = [name, status, formatDuration(endOf(skeleton, row, now) - skeleton.start(row))]
  return [...parts, ...(Number.isNaN(cost) ? [] : [formatCost(cost)])].join(', ')
}
