import type { Store } from '../../engine/store.ts'
import { idempotencyTable } from '../../engine/tables/idempotency-table.ts'
import { jobsPartition, jobsTable } from '../../engine/tables/jobs-table.ts'
import { ruleDeliveriesTable, ruleProgressTable, rulesTable } from '../../engine/tables/rules-tables.ts'
import { referrersFirst } from '../../engine/tables/tables.ts'
import { rowShape } from '../../lib/typed-rows.ts'
import { allOf, equals, not } from '../../query/grammar.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { Caller } from '../access/index.ts'
import { TableRows } from '../records/index.ts'

/** The kind of the jobs that erase projects. They stay, as a record of what was erased. */
export const erasureKind = 'erase_project'

/** How far an erasure has come. */
export interface ErasureProgress {
  /** Rows removed. */
  readonly rows: number
  /** The table at work, and its files that remain to be examined. */
  readonly table: string
  readonly filesLeft: number
  /** Files that may contain the project but are damaged. */
  readonly damagedFiles: number
}

/** Tables whose rows belong to no project, but may name one. */
const partitioned = [rulesTable, ruleProgressTable, ruleDeliveriesTable, jobsTable, idempotencyTable] as const
const ofProjects = referrersFirst.filter((table) => !partitioned.some(({ name }) => name === table.name))

interface EraseProjectOptions {
  readonly signal?: AbortSignal
  readonly onProgress: (progress: ErasureProgress) => void
}

/**
 * Removes everything that a project has in the tables. The project has to be hidden; it may have
 * been erased in part before.
 */
export async function eraseProject(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  projectId: string,
  { signal, onProgress }: EraseProjectOptions,
): Promise<ErasureProgress> {
  let progress: ErasureProgress = { rows: await forgetPartitioned(store, clock, projectId), ...nothingLeft }
  for (const { name } of ofProjects) {
    const { rows: before, damagedFiles } = progress
    const erased = await store.erasure.eraseProject(name, projectId, {
      signal,
      onProgress: ({ rows, left, damaged }) => {
        progress = {
          rows: before + rows,
          table: name,
          filesLeft: left,
          damagedFiles: damagedFiles + damaged.length,
        }
        onProgress(progress)
      },
    })
    progress = { ...progress, rows: before + erased.rows }
  }
  return { ...progress, table: '', filesLeft: 0 }
}

const nothingLeft = { table: '', filesLeft: 0, damagedFiles: 0 }

/** Deletes the rules and jobs of a project, and kept answers to requests for it. */
async function forgetPartitioned(store: Store, clock: Clock, projectId: string): Promise<number> {
  const nowMicros = clock.nowMs() * 1000
  let removed = 0
  const remove = async (table: (typeof partitioned)[number], ids: readonly string[]) => {
    if (ids.length > 0)
      await store.write(
        table.name,
        ids.map((id) => table.tombstone(jobsPartition, id, nowMicros)),
      )
    removed += ids.length
  }
  const rules = await idsWhere(store, rulesTable, 'target_project_id', projectId)
  for (const rule of rules) {
    await remove(ruleDeliveriesTable, await idsWhere(store, ruleDeliveriesTable, 'rule_id', rule))
    await remove(ruleProgressTable, await idsWhere(store, ruleProgressTable, 'id', rule))
  }
  await remove(rulesTable, rules)
  await remove(jobsTable, await idsWhere(store, jobsTable, 'target_project_id', projectId, erasureKind))
  await remove(idempotencyTable, await idsWhere(store, idempotencyTable, 'target_project_id', projectId))
  return removed
}

const everything = new Caller({ userId: 'server', userName: 'server', role: 'admin', scope: '*' }).read(jobsPartition)

async function idsWhere(
  store: Store,
  table: (typeof partitioned)[number],
  column: string,
  text: string,
  exceptKind?: string,
): Promise<string[]> {
  if (store.isEmpty(table.name)) return []
  const rules = { catalog: tableCatalog(table), otherwise: [], tieBreaker: ascendingBy('id') }
  const isOther = exceptKind === undefined ? [] : [not(equals('kind', exceptKind))]
  const query = { $expr: allOf(equals(column, text), ...isOther) }
  const rows = await new TableRows({ store, table, rules }).select(everything, rowShape({ id: 'text' }), { query })
  return rows.map(({ id }) => id)
}
