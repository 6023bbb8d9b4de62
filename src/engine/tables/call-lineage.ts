import { errorLine } from '../../lib/error-line.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { present } from '../../lib/present.ts'
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
  cell !== null && isErrorInside(cell) ? JSON.parse(cell) : undefined

/** Whether the derived cells of a call say that it states tokens or a cost itself. */
function statesUsage(derived: CellReader, cells: UsageCells): boolean {
  if (cells.amounts.some((cell) => (derived.number(cell) ?? 0) > 0)) return true
  const several = derived.text(cells.byModel)
  if (several === null || several === '[]') return false
  const models: readonly Readonly<Record<string, unknown>>[] = JSON.parse(several)
  return models.some((model) => amounts.some((name) => Number(model[name] ?? 0) > 0))
}

interface UsageCells {
  readonly amounts: readonly number[]
  readonly byModel: number
}

const amounts = [
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
  readonly at: Readonly<Record<LineageColumn, number>>
  readonly id: number
  readonly deriveKnown: Lineage['deriveKnown']
}): Lineage {
  const { parent_id: parent, trace_id: tree, exception, summary, error_inside: error, usage_below: usage } = at
  const presence = at.op_name
  const usageCells = { amounts: amounts.map((name) => at[name]), byModel: at.usage_by_model }
  return {
    parent,
    tree,
    cells: [error, usage],
    deriveKnown,
    sources,
    known: (row) => [row.text(error), row.number(usage)],
    factsForParent(row, derived) {
      const states = row.number(usage) === 1 || statesUsage(derived, usageCells)
      const below = parseErrorInside(row.text(error))
      const own = below === undefined ? row.text(exception) : null
      if (!states && below === undefined && !own) return undefined
      const passed: ErrorInside | undefined =
        below !== undefined
          ? { ...below, depth: Math.min(below.depth + 1, storageLimits.lineageDepthMax) }
          : own
            ? {
                call_id: present(row.text(id), 'The id of a call'),
                error: errorLine(own, storageLimits.errorLineCharsMax),
                depth: 1,
              }
            : undefined
      return [passed === undefined ? null : JSON.stringify(passed), states ? 1 : null]
    },
    // The end of a call does not name the parent, which its start has named.
    mayHaveFacts: (row) =>
      (!row.isNull(parent) || row.isNull(presence)) &&
      (!row.isNull(exception) || !row.isNull(summary) || !row.isNull(error) || !row.isNull(usage)),
    learn(self, known, facts) {
      const [newError = null, newUsage] = facts
      const [knownError = null, knownUsage = null] = known
      const below = typeof newError === 'string' ? parseErrorInside(newError) : undefined
      const before = typeof knownError === 'string' ? knownError : null
      const isDeeper = below !== undefined && isDeeperThan(below, before, self)
      const isUsage = newUsage === 1 && knownUsage !== 1
      if (!isDeeper && !isUsage) return known
      return [isDeeper ? newError : knownError, isUsage ? 1 : knownUsage]
    },
  }
}

/** Files of the first versions have usage in the summary only. */
const sources = {
  condition: `t.parent_id IS NOT NULL AND (t.exception <> '' OR t.error_inside <> 'null' OR t.usage_below = 1
    OR ${amounts.map((name) => `t.${name} > 0`).join(' OR ')} OR t.usage_by_model <> '[]'
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

type LineageColumn =
  | (typeof amounts)[number]
  | 'parent_id'
  | 'trace_id'
  | 'exception'
  | 'summary'
  | 'error_inside'
  | 'usage_below'
  | 'usage_by_model'
  | 'op_name'

/**
 * Whether the error `below` should replace the error in `known`. In a cycle of parents, calls
 * receive their own errors, and errors that they already have.
 */
function isDeeperThan(below: ErrorInside, known: string | null, self: string): boolean {
  if (below.call_id === self) return false
  const current = parseErrorInside(known)
  if (current === undefined) return true
  if (below.call_id === current.call_id) return false
  return below.depth === current.depth ? below.call_id < current.call_id : below.depth > current.depth
}
