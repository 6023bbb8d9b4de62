/** Sort order of rows. */
export interface Sort {
  readonly id: string
  readonly direction: 'asc' | 'desc'
}

/** Newest first. */
export const newestFirst: Sort = { id: 'started', direction: 'desc' }

/** Reads `-latency` (largest first) or `latency`. */
export const readSort = (text: string): Sort | undefined =>
  text === '' || text === '-'
    ? undefined
    : text.startsWith('-')
      ? { id: text.slice(1), direction: 'desc' }
      : { id: text, direction: 'asc' }

/** The text that `readSort` reads as that order. */
export const writeSort = ({ id, direction }: Sort): string => (direction === 'desc' ? `-${id}` : id)

/**
 * The sort order after a click on a column's head: the column's first direction, then the other,
 * then newest first.
 */
export function nextSort(current: Sort, id: string, first: Sort['direction']): Sort {
  if (current.id !== id) return { id, direction: first }
  if (current.direction === first) return { id, direction: first === 'asc' ? 'desc' : 'asc' }
  return id === newestFirst.id ? { id, direction: first } : newestFirst
}
