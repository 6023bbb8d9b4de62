import type { Branch, Relation } from '../kernel/relation.ts'
import { costOf } from './cost.ts'
import type { Expression } from './expression.ts'
import type { QueueRelations } from './queue-relations.ts'
import type { SortKey } from './sort.ts'
import { withTypedPaths } from './typed-paths.ts'

export interface RowsWanted {
  readonly relation: Relation
  /** Every branch is restricted to it; there is no way to leave it out. */
  readonly projectId: string
  readonly where: Expression
  /** Physical columns to read. */
  readonly columns: readonly string[]
  readonly feedback?: Relation | undefined
  readonly queues?: QueueRelations | undefined
  readonly sort?: readonly SortKey[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** What is to be read, branch by branch: ready to be written down. */
export interface RowsQuery extends Omit<RowsWanted, 'where'> {
  readonly branches: readonly BranchQuery[]
}

export interface BranchQuery {
  readonly branch: Branch
  /** All hold; the cheap ones come first. */
  readonly conditions: readonly Expression[]
}

/** Settles for each branch by which columns and in which order its rows are tested. */
export function lowerRows({ where, ...wanted }: RowsWanted): RowsQuery {
  const branches = wanted.relation.branches.map((branch) => {
    const conditions = conjuncts(withTypedPaths(where, branch.typedPaths ?? []))
    return { branch, conditions: conditions.toSorted((a, b) => costOf(a) - costOf(b)) }
  })
  return { ...wanted, branches }
}

/** Conditions that are joined by AND. */
const conjuncts = (where: Expression): readonly Expression[] =>
  where.kind === 'all' ? where.items.flatMap(conjuncts) : [where]
