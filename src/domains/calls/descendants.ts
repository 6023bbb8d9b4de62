import type { Snapshot } from '../../engine/reads/snapshot.ts'
import type { Store } from '../../engine/store.ts'
import { callsTable } from '../../engine/tables/calls-table.ts'
import { DomainError } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { columnField } from '../../query/catalog.ts'
import { fieldOneOf } from '../../query/expression.ts'
import { compileRows } from '../../query/sql/statements.ts'
import type { ProjectReader } from '../access/index.ts'

/** Calls and all their descendants. */
export interface Subtrees {
  readonly ids: string[]
  /** Ids of the traces in which other calls are above some of them. */
  readonly tracesAbove: readonly string[]
}

/**
 * The given calls that exist and all their descendants within their traces.
 *
 * @throws DomainError RequestTooLarge if there are more than one request may delete
 */
export async function findWithDescendants(
  store: Store,
  reader: ProjectReader,
  ids: readonly string[],
): Promise<Subtrees> {
  if (ids.length === 0) return { ids: [], tracesAbove: [] }
  return await store.read([callsTable.name], reader, async (snapshot) => {
    const roots = await select(snapshot, reader, 'id', ids)
    if (roots.length === 0) return { ids: [], tracesAbove: [] }
    const traces = [...new Set(roots.map(({ traceId }) => traceId))]
    const childrenOf = new Map<string, string[]>()
    for (const { id, parentId } of await select(snapshot, reader, 'trace_id', traces)) {
      if (parentId === null) continue
      const siblings = childrenOf.get(parentId)
      if (siblings) siblings.push(id)
      else childrenOf.set(parentId, [id])
    }
    const found = new Set(roots.map(({ id }) => id))
    for (const id of found) {
      // Iterating a Set visits elements added meanwhile; a cycle adds nothing new.
      for (const child of childrenOf.get(id) ?? []) found.add(child)
    }
    if (found.size > operationLimits.deleteCascadeMax) {
      throw new DomainError(
        'RequestTooLarge',
        `Too many calls to delete: ${found.size}, including descendants; delete fewer per request`,
      )
    }
    const isBelowOthers = ({ parentId }: { parentId: string | null }) => parentId !== null && !found.has(parentId)
    const tracesAbove = new Set(roots.filter(isBelowOthers).map(({ traceId }) => traceId))
    return { ids: [...found], tracesAbove: [...tracesAbove] }
  })
}

async function select(
  snapshot: Snapshot,
  { projectId }: ProjectReader,
  column: 'id' | 'trace_id',
  values: readonly string[],
): Promise<{ id: string; traceId: string; parentId: string | null }[]> {
  const where = fieldOneOf(columnField(column), values)
  const relation = await snapshot.relationWhere(callsTable.name, { [column]: values })
  const sql = compileRows({ relation, projectId, where, columns: ['id', 'trace_id', 'parent_id'] })
  const rows = await snapshot.rows({ ...sql, shape: callsTable.select('id', 'trace_id', 'parent_id') })
  return rows.map(({ id, trace_id: traceId, parent_id: parentId }) => ({ id, traceId, parentId }))
}
