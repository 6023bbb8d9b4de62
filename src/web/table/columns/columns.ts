/** A column as the address carries it. */
export interface Column {
  /** Name of a column of the table (`latency`) or a path in calls (`inputs.user.tier`). */
  readonly id: string
  /** Pixels; undefined for the column's own width. */
  readonly width: number | undefined
  /** Whether it stays at the left while the others scroll. */
  readonly isPinned: boolean
}

/** Most columns of a table. */
const columnsMax = 40

const widthMin = 40
const widthMax = 1_200

/** Reads `op:160!,input,inputs.user.tier`: id, width after a colon, `!` for pinned. */
export function readColumns(text: string): readonly Column[] | undefined {
  const columns = split(text)
    .map(readColumn)
    .filter((column): column is Column => column !== undefined)
  const unique = columns.filter(({ id }, index) => columns.findIndex((column) => column.id === id) === index)
  return unique.length === 0 ? undefined : pinnedFirst(unique.slice(0, columnsMax))
}

/** The text that `readColumns` reads as those columns. */
export const writeColumns = (columns: readonly Column[]): string =>
  columns
    .map(({ id, width, isPinned }) => {
      const name = id.replace(/[\\,:!]/g, (character) => `\\${character}`)
      return `${name}${width === undefined ? '' : `:${Math.round(width)}`}${isPinned ? '!' : ''}`
    })
    .join(',')

/** Moves a column before or behind its neighbours; pinned ones stay in front. */
export function moved(columns: readonly Column[], id: string, to: number): readonly Column[] {
  const column = columns.find((candidate) => candidate.id === id)
  if (!column) return columns
  const others = columns.filter((candidate) => candidate !== column)
  return pinnedFirst(others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, column))
}

/** Changes a column's width within reason. */
export const resized = (columns: readonly Column[], id: string, width: number | undefined): readonly Column[] =>
  columns.map((column) =>
    column.id === id
      ? {
          ...column,
          width: width === undefined ? undefined : Math.round(Math.min(widthMax, Math.max(widthMin, width))),
        }
      : column,
  )

/** Pins a column to the left, or lets it go. */
export const pinToggled = (columns: readonly Column[], id: string): readonly Column[] =>
  pinnedFirst(columns.map((column) => (column.id === id ? { ...column, isPinned: !column.isPinned } : column)))

/** Shows a column as the last one, or takes it away. The last column cannot go. */
export function shownToggled(columns: readonly Column[], id: string): readonly Column[] {
  const rest = columns.filter((column) => column.id !== id)
  if (rest.length < columns.length) return rest.length === 0 ? columns : rest
  return columns.length >= columnsMax ? columns : [...columns, { id, width: undefined, isPinned: false }]
}

const pinnedFirst = (columns: readonly Column[]): readonly Column[] => [
  ...columns.filter(({ isPinned }) => isPinned),
  ...columns.filter(({ isPinned }) => !isPinned),
]

const split = (text: string): string[] => text.match(/(?:\\.|[^,\\])+/g) ?? []

function readColumn(text: string): Column | undefined {
  const [, name, width, pin] = /^((?:\\.|[^\\:!])+)(?::(\d{1,4}))?(!)?$/.exec(text) ?? []
  if (name === undefined) return undefined
  const pixels = width === undefined ? undefined : Math.min(widthMax, Math.max(widthMin, Number(width)))
  return { id: name.replace(/\\(.)/g, '$1'), width: pixels, isPinned: pin !== undefined }
}
