import { useState } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatNumber } from '../../format/number.ts'
import { facetText } from '../../text/facets.ts'
import css from './facets.module.css'

/** The distribution of numbers, with a handle at each end. */
export function RangeFacet({ label, isDuration, histogram, bounds, onBounds }: RangeFacetProps) {
  const edges = [...histogram.map(({ from }) => from), histogram.at(-1)?.to ?? 0]
  const last = edges.length - 1
  const given = { from: indexOf(edges, bounds.from, 0), to: indexOf(edges, bounds.to, last) }
  const [dragged, setDragged] = useState<{ from: number; to: number }>()
  const { from, to } = dragged ?? given
  const highest = Math.max(1, ...histogram.map(({ count }) => Math.sqrt(count)))
  const words = (value: number) => (isDuration ? formatDuration(value) : formatNumber(value))
  const commit = (next: { from: number; to: number }): void => {
    setDragged(undefined)
    onBounds({
      from: next.from === 0 ? undefined : rounded(itemAt(edges, next.from)),
      to: next.to === last ? undefined : rounded(itemAt(edges, next.to)),
    })
  }
  const handle = (end: 'from' | 'to') => (
    <input
      type="range"
      class={css.handle}
      min={0}
      max={last}
      value={end === 'from' ? from : to}
      aria-label={end === 'from' ? facetText.from(label) : facetText.to(label)}
      aria-valuetext={words(edges[end === 'from' ? from : to] ?? 0)}
      onInput={(event) => setDragged(moved(end, Number(event.currentTarget.value)))}
      onChange={(event) => commit(moved(end, Number(event.currentTarget.value)))}
    />
  )
  const moved = (end: 'from' | 'to', index: number) =>
    end === 'from' ? { from: Math.min(index, to - 1), to } : { from, to: Math.max(index, from + 1) }
  if (histogram.length === 0) return null
  return (
    <div class={css.range}>
      <svg viewBox={`0 0 ${histogram.length * 4} 28`} preserveAspectRatio="none" class={css.bars} aria-hidden>
        {histogram.map(({ count }, index) => {
          const height = count === 0 ? 0 : Math.max(1, (Math.sqrt(count) / highest) * 28)
          const isIn = index >= from && index < to
          return (
            <rect
              key={index}
              class={isIn ? css.inside : css.outside}
              x={index * 4 + 0.3}
              y={28 - height}
              width={3.4}
              height={height}
            />
          )
        })}
      </svg>
      <div class={css.handles}>
        {handle('from')}
        {handle('to')}
      </div>
      <div class={css.ends}>
        <span>{facetText.fromValue(words(edges[from] ?? 0))}</span>
        <span>{facetText.toValue(words(edges[to] ?? 0))}</span>
      </div>
    </div>
  )
}

const rounded = (value: number): number => Number(value.toPrecision(4))

/** The edge nearest to a bound. */
const indexOf = (edges: readonly number[], bound: number | undefined, otherwise: number): number =>
  bound === undefined
    ? otherwise
    : edges.reduce(
        (best, edge, index) => (Math.abs(edge - bound) < Math.abs(itemAt(edges, best) - bound) ? index : best),
        0,
      )

interface RangeFacetProps {
  readonly label: string
  readonly isDuration: boolean
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[]
  readonly bounds: { readonly from?: number; readonly to?: number }
  readonly onBounds: (bounds: { from?: number | undefined; to?: number | undefined }) => void
}
