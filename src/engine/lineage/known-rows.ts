import { BoundedMap } from '../../lib/bounded-map.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import type { Knowledge } from '../../lib/table.ts'
import type { RowKey } from '../row-key.ts'

interface KnownRow {
  readonly tree: string | null
  readonly knowledge: Knowledge
}

/**
 * A cache of the knowledge of recently updated rows, so that a row need not be read to find out
 * that it already has a fact. Losing an entry costs time only.
 */
export class KnownRows {
  private rows = new BoundedMap<RowKey, KnownRow>(storageLimits.knownLineagesMax)

  set(key: RowKey, tree: string | null, knowledge: Knowledge): void {
    this.rows.set(key, { tree, knowledge })
  }

  /** Whether a row of the tree may have to learn something. */
  isNewFor(key: RowKey, tree: string | null, isNew: (knowledge: Knowledge) => boolean): boolean {
    const row = this.rows.get(key)
    return row === undefined || row.tree !== tree || isNew(row.knowledge)
  }

  /** Call when a row was deleted, or what it knows was replaced. */
  forget(key: RowKey): void {
    if (this.rows.has(key)) this.rows.delete(key)
  }

  /** Call when rows were changed in any other way. */
  clear(): void {
    this.rows = new BoundedMap(storageLimits.knownLineagesMax)
  }
}
