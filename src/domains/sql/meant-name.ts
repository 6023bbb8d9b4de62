import { distance } from 'fastest-levenshtein'
import { sqlLimits } from '../../lib/limits/sql.ts'

/** The name that is so similar that a slip of the keyboard explains the difference. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known
    .map((each) => ({ each, edits: distance(name.toLowerCase(), each) }))
    .filter(({ each, edits }) => edits <= Math.min(sqlLimits.suggestionEditsMax, each.length / 2))
    .sort((a, b) => a.edits - b.edits)[0]?.each

/**
 * The name that a message of DuckDB suggests. For a column that does not exist, DuckDB lists those
 * with the most letters in common, however few: of them, only a slip counts. A word of a longer
 * name comes first: `model` means `usage_model`.
 *
 * @param columns names of all columns
 */
export function meantName(message: string, columns: readonly string[]): string | undefined {
  const listed = /(?:Candidate (?:bindings|tables|columns): |Did you mean )("[^"]+"(?:, "[^"]+")*)/.exec(message)?.[1]
  const candidates = listed?.slice(1, -1).split('", "') ?? []
  const missing = /Referenced column "([^"]+)" not found/.exec(message)?.[1]?.toLowerCase()
  if (missing === undefined) return candidates[0]
  return columns.find((column) => column.split('_').includes(missing)) ?? nearest(missing, candidates)
}
