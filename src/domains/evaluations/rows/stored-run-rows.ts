import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import type { Store } from '../../../engine/store.ts'
import { runRowsTable } from '../../../engine/tables/run-rows-table.ts'
import { BoundedMap } from '../../../lib/bounded-map.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { fieldOneOf } from '../../../query/expression.ts'
import { ascendingBy } from '../../../query/sort.ts'
import { tableCatalog } from '../../../query/table-catalog.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Clock } from '../../../runtime/platform/clock.ts'
import type { ProjectReader } from '../../access/index.ts'
import { TableRows } from '../../records/index.ts'
import { decodeRows, encodeRows } from './encode-run-rows.ts'
import type { RunRows } from './run-rows.ts'

/** Changes with what `RunRows` means: stored ones of another format are computed again. */
const format = 1

const stampCells = runRowsTable.select('id', 'stamp')
const rowCells = runRowsTable.select('id', 'row_count', 'digests', 'first_trials', 'numbers', 'details')
const idCells = runRowsTable.select('id')

/** Rows with the state of the calls and prices that they were computed from. */
export interface StampedRows {
  readonly id: string
  readonly stamp: string
  readonly rows: RunRows
}

/** The table of the rows of ended runs. See docs/decisions/253-stored-rows-of-runs.md. */
export class StoredRunRows {
  private readonly store: Store
  private readonly clock: Clock
  private readonly log: Log
  private readonly table: TableRows
  /** Ids of the runs in the table, of the projects that were listed since the start. */
  private readonly known = new BoundedMap<string, Set<string>>(operationLimits.keptRunFiguresMax)
  private writing: Promise<void> = Promise.resolve()

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Log }) {
    this.store = store
    this.clock = clock
    this.log = log
    this.table = new TableRows({
      store,
      table: runRowsTable,
      rules: { catalog: tableCatalog(runRowsTable), otherwise: [], tieBreaker: ascendingBy('id') },
    })
  }

  /** Whether no run of any project has stored rows. */
  get isEmpty(): boolean {
    return this.store.isEmpty(runRowsTable.name)
  }

  /** Those of the runs whose rows are stored in these states, without reading them. */
  async current(
    snapshot: Snapshot,
    reader: ProjectReader,
    stamps: ReadonlyMap<string, string>,
  ): Promise<ReadonlySet<string>> {
    if (this.isEmpty || stamps.size === 0) return new Set()
    const where = fieldOneOf(this.table.field('id'), [...stamps.keys()])
    const found = await this.table.selectIn(snapshot, reader, stampCells, { where })
    return new Set(found.flatMap(({ id, stamp }) => (stamp === this.stampOf(stamps.get(id)) ? [id] : [])))
  }

  /** The stored rows of runs; by run. */
  async read(snapshot: Snapshot, reader: ProjectReader, ids: readonly string[]): Promise<Map<string, RunRows>> {
    const found = new Map<string, RunRows>()
    if (ids.length === 0) return found
    const where = fieldOneOf(this.table.field('id'), ids)
    const lists = new Map<string, readonly string[]>()
    for (const { id, ...encoded } of await this.table.selectIn(snapshot, reader, rowCells, { where })) {
      const rows = decodeRows(encoded, lists)
      if (rows !== undefined) found.set(id, rows)
    }
    return found
  }

  /** Stores rows, not waited for: without them they are computed again. */
  save(projectId: string, runs: readonly StampedRows[]): void {
    for (const { id, stamp, rows } of runs) {
      this.known.get(projectId)?.add(id)
      // One at a time: a run may have megabytes.
      this.write(() => {
        const cells = encodeRows(rows)
        const bytes = cells.digests.length + cells.first_trials.length + cells.numbers.length + cells.details.length
        if (bytes > operationLimits.storedRowsBytesMax) return []
        const computed_at = this.clock.nowMs() * 1000
        return [runRowsTable.row({ project_id: projectId, id, stamp: this.stampOf(stamp), ...cells, computed_at })]
      })
    }
  }

  /** Removes the rows of runs that are gone. @param ids of all runs that the project has */
  async forget(reader: ProjectReader, ids: ReadonlySet<string>): Promise<void> {
    const { projectId } = reader
    const known = this.known.get(projectId) ?? new Set(this.isEmpty ? [] : await this.storedIds(reader))
    this.known.set(projectId, known)
    const gone = [...known].filter((id) => !ids.has(id))
    for (const id of gone) known.delete(id)
    const now = this.clock.nowMs() * 1000
    if (gone.length > 0) this.write(() => gone.map((id) => runRowsTable.tombstone(projectId, id, now)))
  }

  private async storedIds(reader: ProjectReader): Promise<string[]> {
    return (await this.table.select(reader, idCells, {})).map(({ id }) => id)
  }

  /** Waits for what is being stored. */
  async stop(): Promise<void> {
    await this.writing
  }

  private stampOf(stamp: string | undefined): string {
    return `${format} ${stamp}`
  }

  private write(make: () => Parameters<Store['write']>[1]): void {
    this.writing = this.writing
      .then(async () => {
        const rows = make()
        if (rows.length > 0) await this.store.write(runRowsTable.name, rows)
      })
      .catch((err: unknown) => this.log.warn({ err }, 'could not store the rows of evaluation runs'))
  }
}
