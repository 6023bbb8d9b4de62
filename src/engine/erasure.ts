import type { RowsToErase } from './data-files/rows-to-erase.ts'
import type { ErasingProjects } from './erasing-projects.ts'
import type { ErasedFiles, EraseOptions } from './table/eraser.ts'
import type { TableStore } from './table/table-store.ts'

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
