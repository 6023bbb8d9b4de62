import { DomainError } from '../lib/errors.ts'

/**
 * The value of `limit` or `offset`; undefined if absent. Values beyond what a number holds exactly
 * are clamped: no result has that many rows.
 *
 * @throws DomainError InvalidRequest for a negative number
 */
function parseRowCount(member: 'limit' | 'offset', value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined
  if (value < 0) throw new DomainError('InvalidRequest', `Invalid ${member} ${value}: it must not be negative`)
  return Math.min(value, Number.MAX_SAFE_INTEGER)
}

/** Parses `limit` and `offset`. @throws DomainError InvalidRequest for a negative number */
export const parsePage = (page: {
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}): { limit: number | undefined; offset: number } => ({
  limit: parseRowCount('limit', page.limit),
  offset: parseRowCount('offset', page.offset) ?? 0,
})
