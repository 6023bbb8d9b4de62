import { useState } from 'preact/hooks'
import { ownValue } from '../../lib/present.ts'
import type { CellKind, Column } from './cells.ts'

/** How somebody has laid out the columns of a dataset; kept in this browser. */
export interface ColumnLayout {
  /** In pixels, by column. */
  readonly widths: Readonly<Record<string, number>>
  readonly hidden: readonly string[]
}

const keyOf = (projectId: string, name: string): string => `tracelake.columns ${projectId} ${name}`
const unchanged: ColumnLayout = { widths: {}, hidden: [] }

function keptLayout(key: string): ColumnLayout {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof kept === 'object' && kept !== null ? { ...unchanged, ...kept } : unchanged
  } catch {
    return unchanged
  }
}

/** The layout of the columns of a dataset, and what changes it. */
export function useColumnLayout(projectId: string, name: string): [ColumnLayout, (layout: ColumnLayout) => void] {
  const key = keyOf(projectId, name)
  const [layout, setLayout] = useState(() => keptLayout(key))
  return [
    layout,
    (next) => {
      setLayout(next)
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // No storage here: the layout then lasts as long as the page.
      }
    },
  ]
}

const widths: Readonly<Record<CellKind, number>> = {
  text: 180,
  messages: 118,
  number: 92,
  boolean: 92,
  json: 124,
  image: 92,
  call: 90,
  null: 92,
  missing: 120,
}
const shortTextWidth = 84
/** Narrower columns show nothing. */
const widthMin = 48

/** Columns before those of the dataset: check and number. */
const leadWidths = (rowCount: number): readonly [check: number, number: number] => [
  36,
  Math.max(62, 26 + String(rowCount).length * 9),
]

/** Tracks of a grid, and the least width at which they fit. */
export function tracksOf(
  columns: readonly Column[],
  layout: ColumnLayout,
  rowCount: number,
): { readonly columns: string; readonly minWidth: number } {
  const lead = leadWidths(rowCount)
  const wide = columns.map(({ name, kind, isShort }) => {
    const own = ownValue(layout.widths, name)
    const width = own === undefined ? (kind === 'text' && isShort ? shortTextWidth : widths[kind]) : own
    return { width: Math.max(widthMin, width), grows: own === undefined && kind === 'text' && !isShort }
  })
  // Something must take the room that is left.
  const isFixed = wide.every(({ grows }) => !grows)
  return {
    columns: [
      ...lead.map((width) => `${width}px`),
      ...wide.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)),
      ...(isFixed ? ['1fr'] : []),
    ].join(' '),
    minWidth: lead[0] + lead[1] + wide.reduce((sum, { width }) => sum + width, 0),
  }
}
