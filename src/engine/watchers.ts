import type { CellReader } from '../lib/table.ts'

/**
 * Sees rows that are being written; returns what to do once they are stored, or undefined if it
 * does not care.
 */
export type Watcher = (rows: readonly CellReader[]) => (() => void) | undefined

/** Listeners for writes to tables. */
export class Watchers {
  private readonly byTable = new Map<string, Set<Watcher>>()

  /** @returns what ends the watching */
  add(tableName: string, watcher: Watcher): () => void {
    const watchers = this.byTable.get(tableName) ?? new Set()
    this.byTable.set(tableName, watchers.add(watcher))
    return () => {
      watchers.delete(watcher)
    }
  }

  isWatched(tableName: string): boolean {
    return (this.byTable.get(tableName)?.size ?? 0) > 0
  }

  /** Shows rows that are to be written; returns what to call once they are stored. */
  show(tableName: string, rows: readonly CellReader[]): () => void {
    const stored = [...(this.byTable.get(tableName) ?? [])].map((watcher) => watcher(rows))
    return () => {
      for (const tell of stored) tell?.()
    }
  }
}
