import { DomainError } from '../lib/errors.ts'
import type { Table } from '../lib/table.ts'
import { cellAt, keyPositions } from '../lib/typed-rows.ts'
import type { RowsToErase } from './data-files/rewrite-rows.ts'
import { type DirtyRow, toRow } from './memtable/memtable.ts'
import type { ErasedFiles, EraseOptions } from './table/eraser.ts'
import type { TableStore } from './table/table-store.ts'

/** Projects that are being erased: they have no rows for readers, and accept none. */
export class ErasingProjects {
  /** Read by the tables. */
  readonly hidden = new Set<string>()
  private readonly writing = new Set<Promise<void>>()

  /** Hides a project, and waits for the writes that have begun before. */
  async begin(projectId: string): Promise<void> {
    this.hidden.add(projectId)
    await Promise.allSettled(this.writing)
  }

  end(projectId: string): void {
    this.hidden.delete(projectId)
  }

  /** @throws DomainError StoreUnavailable for rows of a hidden project */
  async write(table: Table, rows: readonly DirtyRow[], work: () => Promise<void>): Promise<void> {
    if (this.hidden.size > 0) this.refuse(table, rows)
    const writing = work()
    this.writing.add(writing)
    try {
      await writing
    } finally {
      this.writing.delete(writing)
    }
  }

  private refuse(table: Table, rows: readonly DirtyRow[]): void {
    const { project } = keyPositions(table)
    for (const row of rows) {
      const projectId = cellAt(toRow(row), project)
      if (this.hidden.has(projectId))
        throw new DomainError(
          'StoreUnavailable',
          `Cannot write to the project "${projectId}": it is being erased; try again in a few minutes`,
        )
    }
  }
}

/** Removes rows and projects from the files of a store. */
export class Erasure {
  private readonly projects: ErasingProjects
  private readonly table: (name: string) => TableStore

  constructor(projects: ErasingProjects, table: (name: string) => TableStore) {
    this.projects = projects
    this.table = table
  }

  /**
   * Removes rows from the data files of a table. They leave the answers file by file; their bytes
   * go when old versions of the table go.
   */
  eraseRows(tableName: string, rows: readonly RowsToErase[], options: EraseOptions = {}): Promise<ErasedFiles> {
    return this.table(tableName).erase(rows, options)
  }

  /**
   * Hides a project until `reveal`: it reads as empty, and writes to it are refused. Waits for the
   * writes in progress.
   */
  hide(projectId: string): Promise<void> {
    return this.projects.begin(projectId)
  }

  reveal(projectId: string): void {
    this.projects.end(projectId)
  }

  hides(projectId: string): boolean {
    return this.projects.hidden.has(projectId)
  }

  /**
   * Removes all rows of a project from a table, those in memory included. The project has to be
   * hidden.
   */
  eraseProject(tableName: string, projectId: string, options: EraseOptions = {}): Promise<ErasedFiles> {
    if (!this.hides(projectId)) throw new Error(`Project ${projectId} is not hidden`)
    return this.table(tableName).erase([{ projectId }], { ...options, isFinal: true })
  }
}
