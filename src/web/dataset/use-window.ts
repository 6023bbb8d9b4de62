import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Browsers draw nothing below a height of some 17 million pixels. */
const heightMax = 12_000_000

/** Which of many rows of one height are in view of a box that scrolls. */
export interface RowWindow {
  readonly box: RefObject<HTMLDivElement | null>
  /** First place that is drawn, and the place behind the last one. */
  readonly first: number
  readonly last: number
  /** Height of the content, in pixels. */
  readonly height: number
  /** Where the first drawn row begins in the content, in pixels. */
  readonly top: number
  /** Draws what is in view now: for `onScroll`. */
  readonly measure: () => void
  /** Brings a place into view: as little as needed, or into the middle. */
  readonly show: (place: number, where: 'nearest' | 'middle') => void
}

interface WindowOptions {
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  /** Height of what stays above the rows, in pixels. */
  readonly headHeight: number
  readonly overscan: number
}

/**
 * Windows any number of rows. If they are taller than a browser can lay out, the position of the
 * scroll bar is taken as a fraction of all rows, so that every row can be reached.
 */
export function useWindow({ count, rowHeight, headHeight, overscan }: WindowOptions): RowWindow {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(() => ({ top: 0, height: Math.min(900, innerHeight) }))
  const measure = () => {
    const element = box.current
    if (element) setView({ top: element.scrollTop, height: Math.max(0, element.clientHeight - headHeight) })
  }
  useLayoutEffect(() => {
    const resized = new ResizeObserver(measure)
    if (box.current) resized.observe(box.current)
    return () => resized.disconnect()
  }, [])
  const full = count * rowHeight
  const height = Math.min(full, heightMax)
  // Share of the rows' pixels to those of the content, without the last screen.
  const scale = full <= heightMax ? 1 : (full - view.height) / Math.max(1, height - view.height)
  const rowsTop = view.top * scale
  const first = Math.max(0, Math.floor(rowsTop / rowHeight) - overscan)
  const last = Math.min(count, Math.ceil((rowsTop + view.height) / rowHeight) + overscan)
  const show = (place: number, where: 'nearest' | 'middle') => {
    const element = box.current
    if (!element) return
    const seen = Math.max(rowHeight, element.clientHeight - headHeight)
    const now = element.scrollTop * scale
    const top = place * rowHeight
    const wanted =
      where === 'middle'
        ? top - seen / 2 + rowHeight / 2
        : top < now
          ? top
          : top + rowHeight > now + seen
            ? top + rowHeight - seen
            : now
    if (wanted !== now) element.scrollTop = Math.max(0, wanted) / scale
    measure()
  }
  return { box, first, last, height, top: view.top - rowsTop + first * rowHeight, measure, show }
}
