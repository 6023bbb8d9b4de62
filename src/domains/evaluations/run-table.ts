import type { Store } from '../../engine/store.ts'
import type { DescribedTable } from '../../engine/tables/define-table.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { ascendingBy } from '../../query/sort.ts'
import { tableCatalog } from '../../query/table-catalog.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/platform/clock.ts'
import { TableRows } from '../records/index.ts'

export interface RunTableDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

type Rows = Parameters<Store['write']>[1]

/**
 * A table with what was computed of ended runs, a row each. Nothing waits for its writes: what is
 * missing is computed again.
 */
export class RunTable {
  readonly rows: TableRows
  private readonly deps: RunTableDeps
  private readonly table: DescribedTable
  private readonly what: string
  /** Ids of the runs in the table, of the projects that were listed since the start. */
  private readonly known = new BoundedMap<string, Set<string>>(operationLimits.keptRunFiguresMax)
  private writing: Promise<void> = Promise.resolve()

  /** @param what is stored, for messages */
  constructor(deps: RunTableDeps, table: DescribedTable, what: string) {
    this.deps = deps
    this.table = table
    this.what = what
    this.rows = new TableRows({
      store: deps.store,
      table,
      rules: { catalog: tableCatalog(table), otherwise: [], tieBreaker: ascendingBy('id') },
    })
  }

  /** Whether no run of any project has a row. */
  get isEmpty(): boolean {
    return this.deps.store.isEmpty(this.table.name)
  }

  get nowMicros(): number {
    return this.deps.clock.nowMs() * 1000
  }

  /** Ids of the runs in the table; undefined if they have not been listed. */
  knownIds(projectId: string): ReadonlySet<string> | undefined {
    return this.known.get(projectId)
  }

  setKnown(projectId: string, ids: Iterable<string>): void {
    this.known.set(projectId, new Set(ids))
  }

  /** Stores rows. @param make is called once the writes before are done */
  save(projectId: string, ids: readonly string[], make: () => Rows): void {
    const known = this.known.get(projectId)
    for (const id of ids) known?.add(id)
    this.write(make)
  }

  /** Removes the known rows of runs that are gone. @returns the ids of these runs */
  forget(projectId: string, ids: ReadonlySet<string>): readonly string[] {
    const known = this.known.get(projectId)
    const gone = [...(known ?? [])].filter((id) => !ids.has(id))
    if (gone.length === 0) return gone
    for (const id of gone) known?.delete(id)
    const now = this.nowMicros
    this.write(() => gone.map((id) => this.table.tombstone(projectId, id, now)))
    return gone
  }

  /** Waits for what is being stored. */
  async stop(): Promise<void> {
    await this.writing
  }

  private write(make: () => Rows): void {
    this.writing = this.writing
      .then(async () => {
        const rows = make()
        if (rows.length > 0) await this.deps.store.write(this.table.name, rows)
      })
      .catch((err: unknown) => this.deps.log.warn({ err }, `could not store ${this.what}`))
  }
}
