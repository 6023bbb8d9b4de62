import type { Snapshot } from '../../../engine/reads/snapshot.ts'
import { runRowsTable } from '../../../engine/tables/run-rows-table.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import { fieldOneOf } from '../../../query/expression.ts'
import type { ProjectReader } from '../../access/index.ts'
import { RunTable, type RunTableDeps } from '../run-table.ts'
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
  private readonly table: RunTable

  constructor(deps: RunTableDeps) {
    this.table = new RunTable(deps, runRowsTable, 'the rows of evaluation runs')
  }

  /** Whether no run of any project has stored rows. */
  get isEmpty(): boolean {
    return this.table.isEmpty
  }

  /** Those of the runs whose rows are stored in these states, without reading them. */
  async current(
    snapshot: Snapshot,
    reader: ProjectReader,
    stamps: ReadonlyMap<string, string>,
  ): Promise<ReadonlySet<string>> {
    if (this.isEmpty || stamps.size === 0) return new Set()
    const where = fieldOneOf(this.table.rows.field('id'), [...stamps.keys()])
    const found = await this.table.rows.selectIn(snapshot, reader, stampCells, { where })
    return new Set(found.flatMap(({ id, stamp }) => (stamp === this.stampOf(stamps.get(id)) ? [id] : [])))
  }

  /** The stored rows of runs; by run. */
  async read(snapshot: Snapshot, reader: ProjectReader, ids: readonly string[]): Promise<Map<string, RunRows>> {
    const found = new Map<string, RunRows>()
    if (ids.length === 0) return found
    const where = fieldOneOf(this.table.rows.field('id'), ids)
    const lists = new Map<string, readonly string[]>()
    for (const { id, ...encoded } of await this.table.rows.selectIn(snapshot, reader, rowCells, { where })) {
      const rows = decodeRows(encoded, lists)
      if (rows !== undefined) found.set(id, rows)
    }
    return found
  }

  /** Stores rows, not waited for: without them they are computed again. */
  save(projectId: string, runs: readonly StampedRows[]): void {
    for (const { id, stamp, rows } of runs) {
      // One at a time: a run may have megabytes.
      this.table.save(projectId, [id], () => {
        const cells = encodeRows(rows)
        const bytes = cells.digests.length + cells.first_trials.length + cells.numbers.length + cells.details.length
        if (bytes > operationLimits.storedRowsBytesMax) return []
        const computed_at = this.table.nowMicros
        return [runRowsTable.row({ project_id: projectId, id, stamp: this.stampOf(stamp), ...cells, computed_at })]
      })
    }
  }

  /** Removes the rows of runs that are gone. @param ids of all runs that the project has */
  async forget(reader: ProjectReader, ids: ReadonlySet<string>): Promise<void> {
    const { projectId } = reader
    if (!this.table.knownIds(projectId))
      this.table.setKnown(projectId, this.isEmpty ? [] : await this.storedIds(reader))
    this.table.forget(projectId, ids)
  }

  private async storedIds(reader: ProjectReader): Promise<string[]> {
    return (await this.table.rows.select(reader, idCells, {})).map(({ id }) => id)
  }

  /** Waits for what is being stored. */
  async stop(): Promise<void> {
    await this.table.stop()
  }

  private stampOf(stamp: string | undefined): string {
    return `${format} ${stamp}`
  }
}
