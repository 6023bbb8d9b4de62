import { errorLine } from '../../lib/error-line.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { CellReader, Lineage } from '../../lib/table.ts'

/** The error of a descendant, as the column `error_inside` holds it. */
export interface ErrorInside {
  readonly call_id: string
  /** One line: the type of the error and its message. */
  readonly error: string
  /** Levels between the call and the descendant: 1 for a child. */
  readonly depth: number
}

/** JSON text of the cell of a call that had an error inside before a descendant was deleted. */
export const noErrorInside = 'null'

export const isErrorInside = (cell: string | null): boolean => cell !== null && cell !== noErrorInside

/** The error that a cell of `error_inside` holds; undefined if there is none. */
export const parseErrorInside = (cell: string | null): ErrorInside | undefined =>
  isErrorInside(cell) ? (JSON.parse(cell!) as ErrorInside) : undefined

/** Whether the derived cells of a call say that it states tokens or a cost itself. */
function statesUsage(derived: CellReader, cells: UsageCells): boolean {
  if (cells.figures.some((cell) => (derived.number(cell) ?? 0) > 0)) return true
  const several = derived.text(cells.byModel)
  if (several === null || several === '[]') return false
  const models = JSON.parse(several) as readonly Readonly<Record<string, unknown>>[]
  return models.some((model) => figures.some((name) => Number(model[name] ?? 0) > 0))
}

interface UsageCells {
  readonly figures: readonly number[]
  readonly byModel: number
}

const figures = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'stated_cost',
] as const

/**
 * The knowledge of calls about their descendants: the deepest error, and whether one states usage.
 * The order in which calls arrive makes no difference.
 */
export function callLineage({
  at,
  id,
  deriveKnown,
}: {
  readonly at: Readonly<Record<string, number>>
  readonly id: number
  readonly deriveKnown: Lineage['deriveKnown']
}): Lineage {
  const cell = (name: string): number => at[name]!
  const [parent, tree, exception, summary] = ['parent_id', 'trace_id', 'exception', 'summary'].map(cell) as Four
  const [error, usage, presence] = [cell('error_inside'), cell('usage_below'), cell('op_name')] as const
  const usageCells = { figures: figures.map(cell), byModel: cell('usage_by_model') }
  return {
    parent,
    tree,
    cells: [error, usage],
    deriveKnown,
    tellers,
    known: (row) => [row.text(error), row.number(usage)],
    told(row, derived) {
      const states = row.number(usage) === 1 || statesUsage(derived, usageCells)
      const below = parseErrorInside(row.text(error))
      const own = below === undefined ? row.text(exception) : null
      if (!states && below === undefined && !own) return undefined
      const told: ErrorInside | undefined =
        below !== undefined
          ? { ...below, depth: Math.min(below.depth + 1, storageLimits.lineageDepthMax) }
          : own
            ? { call_id: row.text(id)!, error: errorLine(own, storageLimits.errorLineCharsMax), depth: 1 }
            : undefined
      return [told === undefined ? null : JSON.stringify(told), states ? 1 : null]
    },
    // The end of a call does not name the parent, which its start has named.
    mayTell: (row) =>
      (!row.isNull(parent) || row.isNull(presence)) &&
      (!row.isNull(exception) || !row.isNull(summary) || !row.isNull(error) || !row.isNull(usage)),
    learn(self, known, told) {
      const isDeeper =
        told[0] !== null && isDeeperThan(parseErrorInside(told[0] as string)!, known[0] as string | null, self)
      const isUsage = told[1] === 1 && known[1] !== 1
      if (!isDeeper && !isUsage) return known
      return [isDeeper ? told[0]! : known[0]!, isUsage ? 1 : known[1]!]
    },
  }
}

/** Files of the first versions have usage in the summary only. */
const tellers = {
  condition: `t.parent_id IS NOT NULL AND (t.exception <> '' OR t.error_inside <> 'null' OR t.usage_below = 1
    OR ${figures.map((name) => `t.${name} > 0`).join(' OR ')} OR t.usage_by_model <> '[]'
    OR (t.usage_model IS NULL AND t.usage_by_model IS NULL AND contains(t.summary, '"usage"')))`,
  columns: [
    'project_id',
    'id',
    'trace_id',
    'parent_id',
    'exception',
    'summary',
    'error_inside',
    'usage_below',
    'written_at',
  ],
}

type Four = [number, number, number, number]

/**
 * Whether the error `told` should replace the error in `known`. In a cycle of parents, calls
 * receive their own errors, and errors that they already have.
 */
function isDeeperThan(told: ErrorInside, known: string | null, self: string): boolean {
  if (told.call_id === self) return false
  const current = parseErrorInside(known)
  if (current === undefined) return true
  if (told.call_id === current.call_id) return false
  return told.depth === current.depth ? told.call_id < current.call_id : told.depth > current.depth
}
