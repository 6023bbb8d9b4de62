import type { AnyOf } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { callsTable } from '../../../engine/tables/calls-table.ts'
import type { CallsPlan } from '../../../query/calls-plan.ts'
import { columnField } from '../../../query/catalog.ts'
import { all, type Expression, fieldOneOf } from '../../../query/expression.ts'
import { compilePlanned, compileRows } from '../../../query/sql/statements.ts'
import type { ProjectReader } from '../../access/index.ts'
import { relationsOf, tablesOf } from '../plan.ts'
import { type LiveCall, liveCallOf, liveColumns } from './live-call.ts'

/** Reads calls for live tails. */
export class LiveCallsReader {
  private readonly store: Store

  constructor(store: Store) {
    this.store = store
  }

  /** The calls that exist, by id. */
  async byId(projectId: string, ids: readonly string[]): Promise<Map<string, LiveCall>> {
    const calls = await this.read(projectId, fieldOneOf(columnField('id'), ids), { id: ids })
    return new Map(calls.map((call) => [call.id as string, call]))
  }

  /**
   * Calls written after a time, in order of writing; at most one more than the event buffer of a
   * project.
   */
  async writtenAfter({ projectId }: ProjectReader, micros: number, limit: number): Promise<LiveCall[]> {
    const field = { kind: 'column', column: 'written_at', type: 'time' } as const
    const where: Expression = { kind: 'within', field, after: micros, through: undefined }
    return await this.read(projectId, where, {}, { sort: [{ field, direction: 'asc' }], limit })
  }

  /** Those of the ids whose calls meet the conditions of a plan now. */
  async matching(plan: CallsPlan, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { projectId } = plan
    return await this.store.read(tablesOf(plan), { projectId }, async (snapshot) => {
      const { calls: relation, feedback, queues } = await relationsOf(snapshot, { ...plan, anyOf: { id: ids } })
      const where = all([plan.where, fieldOneOf(columnField('id'), ids)])
      const rows = { relation, projectId, feedback, queues, where, columns: ['id'] }
      return new Set((await snapshot.rows(compilePlanned(rows))).map(([id]) => id as string))
    })
  }

  private async read(
    projectId: string,
    where: Expression,
    anyOf: AnyOf,
    page: { sort?: Parameters<typeof compileRows>[0]['sort']; limit?: number } = {},
  ): Promise<LiveCall[]> {
    return await this.store.read([callsTable.name], { projectId }, async (snapshot) => {
      const relation = await snapshot.relationWhere(callsTable.name, anyOf)
      const sql = compileRows({ relation, projectId, where, columns: liveColumns, ...page })
      const rows = await snapshot.rows(sql)
      return rows.map(liveCallOf)
    })
  }
}
