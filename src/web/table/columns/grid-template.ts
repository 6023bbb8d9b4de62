import type { Column } from './columns.ts'
import { columnById } from './known-columns.ts'

/** Pixels between columns. */
const columnGap = 14
/** Pixels at both ends of a row. */
const rowGutter = 16
/** Width of the column of checkboxes. */
const checkWidth = 24

/** Widths of a table's columns as `grid-template-columns`, and the offsets of pinned ones. */
export interface GridTemplate {
  readonly columns: string
  /** Least width of a row. */
  readonly minWidth: number
  /** Distance from the left by column, for those that are pinned. */
  readonly pinnedAt: ReadonlyMap<string, number>
}

/**
 * Characters of the longest op, from the rows that fill a screen: rows that follow move nothing.
 */
export const opCharsOf = (rows: readonly { readonly name: string }[]): number =>
  rows.slice(0, rowsMeasured).reduce((most, { name }) => Math.max(most, name.length), 0)

const rowsMeasured = 60
const opIcon = 24
const opCharWidth = 8
const opWidthMax = 240
/** Pixels of an op's name that take as much of the rest of a row as a text does. */
const opShare = 320

/**
 * Lays the columns of a table out. Input and output share what the others leave; ops get a smaller
 * part of it, the smaller the shorter their names.
 *
 * @param opChars characters that the column of ops should have room for
 */
export function gridTemplate(columns: readonly Column[], opChars = 0): GridTemplate {
  const pinnedAt = new Map<string, number>()
  let left = rowGutter + checkWidth + columnGap
  let minWidth = 2 * rowGutter + checkWidth
  const tracks = columns.map(({ id, width, isPinned }) => {
    const known = columnById(id)
    const wanted = known.kind === 'op' ? Math.min(opWidthMax, opIcon + Math.ceil(opChars * opCharWidth)) : 0
    const pixels = width ?? Math.max(known.width, wanted)
    if (isPinned) pinnedAt.set(id, left)
    left += pixels + columnGap
    const isFixed = width !== undefined || isPinned
    const least = isFixed ? pixels : (known.least ?? known.width)
    minWidth += least + columnGap
    if (isFixed) return `${pixels}px`
    if (known.grows) return `minmax(${least}px, 1fr)`
    if (known.kind === 'op') return `minmax(${least}px, ${Math.max(0.2, pixels / opShare)}fr)`
    return least < pixels ? `minmax(${least}px, ${pixels}px)` : `${pixels}px`
  })
  const hasGrowing = tracks.some((track) => track.startsWith('minmax'))
  return { columns: [`${checkWidth}px`, ...tracks, ...(hasGrowing ? [] : ['1fr'])].join(' '), minWidth, pinnedAt }
}
