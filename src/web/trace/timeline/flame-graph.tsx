import { useMemo, useState } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { Button } from '../../components/controls/button.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { KindIcon } from '../../components/display/kind-icon.tsx'
import { kindColor, kindOf } from '../../components/display/kinds.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCount, formatShare } from '../../format/number.ts'
import { traceText } from '../../text/trace/trace.ts'
import type { Skeleton } from '../skeleton.ts'
import css from './flame-graph.module.css'
import { type FlameBox, flameLayout } from './flame-layout.ts'

const rowHeight = 24
/** Boxes narrower than this share of the view are left out. */
const shareMin = 0.0015
const drawnMax = 1_500

interface FlameProps {
  readonly skeleton: Skeleton
  readonly now: number
  readonly onOpen: (row: number) => void
}

/** All calls of a trace merged by path of names; a box zooms in. */
export default function FlameGraph({ skeleton, now, onOpen }: FlameProps) {
  const boxes = useMemo(() => flameLayout(skeleton, now), [skeleton, now])
  const [zoomed, setZoomed] = useState<number>(-1)
  const [pointed, setPointed] = useState<number>(-1)
  const focus = boxes[zoomed]
  const view = { left: focus?.left ?? 0, width: focus?.width ?? 1 }
  const shown = boxes
    .map((box, index) => ({ box, index }))
    .filter(({ box }) => isShown(box, view))
    .slice(0, drawnMax)
  const described = boxes[pointed] ?? focus ?? boxes[0]
  const total = boxes.reduce((sum, { parent, time }) => sum + (parent < 0 ? time : 0), 0) || 1
  const depth = shown.reduce((deepest, { box }) => Math.max(deepest, box.depth), 0)
  return (
    <div class={css.pane}>
      <div class={css.described}>
        {described && (
          <>
            <KindIcon kind={kindOf(described.kind)} />
            <strong class="cut">{described.name}</strong>
            <span>{traceText.callsCount(formatCount(described.calls))}</span>
            {described.errors > 0 && <span class={css.errors}>{traceText.errorCount(described.errors)}</span>}
            <span>
              {formatDuration(described.time)} · {formatShare(described.time / total)}
            </span>
            <span class={css.weak}>
              {traceText.self} {formatDuration(described.self)}
            </span>
          </>
        )}
        <span class={css.actions}>
          {focus && (
            <>
              <Button size="compact" kind="quiet" onClick={() => setZoomed(-1)}>
                {traceText.flameReset}
              </Button>
              <Button size="compact" onClick={() => onOpen(focus.slowestRow)}>
                {traceText.flameSlowest}
              </Button>
            </>
          )}
        </span>
      </div>
      <div
        class={css.scroll}
        role="tree"
        tabIndex={0}
        data-keys="own"
        aria-label={traceText.flame}
        aria-activedescendant={pointed >= 0 ? boxId(pointed) : undefined}
        onMouseLeave={() => setPointed(-1)}
        onKeyDown={(event) => {
          const next = moved(boxes, pointed, event.key, (index) => isShown(itemAt(boxes, index), view))
          if (event.key === 'Enter' && pointed >= 0) setZoomed(pointed === zoomed ? -1 : pointed)
          else if (event.key === 'Escape') setZoomed(-1)
          else if (next === undefined) return
          else setPointed(next)
          event.preventDefault()
          event.stopPropagation()
        }}
      >
        <div class={css.boxes} role="presentation" style={{ height: `${(depth + 1) * rowHeight}px` }}>
          {shown.map(({ box, index }) => {
            const left = Math.max(0, (box.left - view.left) / view.width)
            const right = Math.min(1, (box.left + box.width - view.left) / view.width)
            return (
              <div
                key={index}
                id={boxId(index)}
                role="treeitem"
                aria-level={box.depth + 1}
                aria-selected={index === zoomed}
                class={classNames(
                  css.box,
                  box.errors > 0 && css.failed,
                  index === zoomed && css.zoomed,
                  index === pointed && css.pointed,
                )}
                style={{
                  left: `${left * 100}%`,
                  width: `${(right - left) * 100}%`,
                  top: `${box.depth * rowHeight}px`,
                  '--box-color': kindColor(kindOf(box.kind)),
                }}
                aria-label={`${box.name}, ${traceText.callsCount(formatCount(box.calls))}, ${formatDuration(box.time)}`}
                onClick={() => setZoomed(index === zoomed ? -1 : index)}
                onMouseEnter={() => setPointed(index)}
                onDblClick={() => onOpen(box.slowestRow)}
              >
                {right - left > 0.03 && (
                  <>
                    <span class="cut">{box.name}</span>
                    {right - left > 0.12 && <span class={css.time}>{formatDuration(box.time)}</span>}
                  </>
                )}
              </div>
            )
          })}
        </div>
      </div>
      <p class={css.hint}>{traceText.flameHint}</p>
    </div>
  )
}

const boxId = (index: number): string => `flame-${index}`

/** The box that a key leads to: the parent, the widest child, or a sibling. */
function moved(
  boxes: readonly FlameBox[],
  from: number,
  key: string,
  isVisible: (index: number) => boolean,
): number | undefined {
  const here = boxes[from]
  if (!here) return key.startsWith('Arrow') && boxes.length > 0 ? 0 : undefined
  const family = (parent: number) =>
    [...boxes.keys()].filter((index) => itemAt(boxes, index).parent === parent && isVisible(index))
  if (key === 'ArrowUp') return Math.max(0, here.parent)
  if (key === 'ArrowDown') return family(from)[0] ?? from
  const siblings = family(here.parent)
  const at = siblings.indexOf(from)
  if (key === 'ArrowRight') return siblings[at + 1] ?? from
  if (key === 'ArrowLeft') return siblings[at - 1] ?? from
  return undefined
}

const isShown = ({ left, width }: FlameBox, view: { left: number; width: number }): boolean =>
  width / view.width >= shareMin && left < view.left + view.width - 1e-9 && left + width > view.left + 1e-9
