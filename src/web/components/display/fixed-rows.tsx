import type { ComponentChildren, HTMLAttributes, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A browser without a graphics card takes so long to bring a full page to the screen. */
const paintMs = 100

/**
 * A list of rows of one height of which only those in view exist. It scrolls by itself and fills
 * its parent; `list.current.show(index)` brings a row into view.
 */
export function FixedRows<Item>({
  items,
  rowHeight,
  overscan = 8,
  render,
  list,
  onRange,
  before,
  around = 0,
  ...attributes
}: FixedRowsProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const [view, setView] = useState(() => ({ top: 0, height: Math.min(800, innerHeight - around) }))
  // Rows out of view are drawn once those in view have been painted, which takes its time.
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), paintMs)
    return () => clearTimeout(timer)
  }, [])
  const ahead = isPainted ? overscan : 0
  const measure = (): void => {
    const element = box.current
    if (!element) return
    const { scrollTop: top, clientHeight: height } = element
    // Drawing again before the first paint would also draw what is meant to come after it.
    setView((known) => (isSameRange(known, { top, height }, rowHeight) ? known : { top, height }))
  }
  useLayoutEffect(() => {
    // It reports the first size, too, once the layout is there.
    const resized = new ResizeObserver(measure)
    if (box.current) resized.observe(box.current)
    return () => resized.disconnect()
  }, [])
  const range = rangeOf(view, rowHeight)
  const first = Math.max(0, range.first - ahead)
  const last = Math.min(items.length, range.last + ahead)
  useLayoutEffect(() => onRange?.(first, last), [first, last])
  if (list) {
    list.current = {
      show: (index) =>
        box.current && scrollToRow(box.current, index * rowHeight, rowHeight, head.current?.offsetHeight ?? 0),
    }
  }
  return (
    <div {...attributes} ref={box} onScroll={measure} style={{ overflow: 'auto', height: '100%', minHeight: 0 }}>
      {before !== undefined && (
        <div ref={head} style={{ position: 'sticky', top: 0, zIndex: 'var(--layer-head)' }}>
          {before}
        </div>
      )}
      <div role="presentation" style={{ position: 'relative', height: `${items.length * rowHeight}px` }}>
        <div role="presentation" style={{ position: 'absolute', insetInline: 0, top: `${first * rowHeight}px` }}>
          {items.slice(first, last).map((item, index) => render(item, first + index))}
        </div>
      </div>
    </div>
  )
}

/** What a list shows, in pixels. */
interface View {
  readonly top: number
  readonly height: number
}

/** The index of the first row in view, and of the one after the last. */
const rangeOf = ({ top, height }: View, rowHeight: number): { first: number; last: number } => ({
  first: Math.floor(top / rowHeight),
  last: Math.ceil((top + height) / rowHeight),
})

function isSameRange(one: View, other: View, rowHeight: number): boolean {
  const [a, b] = [rangeOf(one, rowHeight), rangeOf(other, rowHeight)]
  return a.first === b.first && a.last === b.last
}

/** Commands that a list accepts. */
export interface FixedRowsHandle {
  /** Scrolls as little as needed to bring the row into view, not under a sticky head. */
  readonly show: (index: number) => void
}

interface FixedRowsProps<Item> extends Omit<HTMLAttributes<HTMLDivElement>, 'list' | 'render'> {
  readonly items: readonly Item[]
  /** In pixels. */
  readonly rowHeight: number
  /** Rows kept above and below the view. */
  readonly overscan?: number
  /** A row; give it a key. */
  readonly render: (item: Item, index: number) => ComponentChildren
  readonly list?: RefObject<FixedRowsHandle | null>
  /** Tells which rows exist, for reading more before the end is reached. */
  readonly onRange?: (first: number, last: number) => void
  /** A head that stays above the rows. */
  readonly before?: ComponentChildren
  /** Height of the page around the list, in pixels, at least: fewer rows are drawn at first. */
  readonly around?: number
}

function scrollToRow(box: HTMLElement, top: number, rowHeight: number, headHeight: number): void {
  const { scrollTop, clientHeight } = box
  if (top < scrollTop) box.scrollTop = top
  else if (top + rowHeight > scrollTop + clientHeight - headHeight)
    box.scrollTop = top + rowHeight - clientHeight + headHeight
}
