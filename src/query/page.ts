import { DomainError } from '../errors.ts'

/**
 * How many rows `limit` or `offset` asks for; undefined where it asks for nothing. Beyond what a number holds exactly, no number of rows is
 * any different.
 *
 * @throws DomainError InvalidRequest for a negative number
 */
function parseRowCount(member: 'limit' | 'offset', value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value < 0) throw new DomainError('InvalidRequest', `Read ${member} ${value}: it cannot be negative`)
  return Math.min(value, Number.MAX_SAFE_INTEGER)
}

/** Which part of the rows is wanted. @throws DomainError InvalidRequest for a negative number */
export const parsePage = (page: {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}): { limit: number | undefined; offset: number } => ({
  limit: parseRowCount('limit', page.limit),
  offset: parseRowCount('offset', page.offset) ?? 0,
})
