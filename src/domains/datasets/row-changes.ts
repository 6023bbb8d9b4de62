import { itemAt } from '../../lib/present.ts'

const kinds = ['added', 'removed', 'changed'] as const

/** A row that differs: positions in either version; -1 where it is missing. */
export interface RowChange {
  readonly kind: (typeof kinds)[number]
  readonly from: number
  readonly to: number
}

/** Rows that differ, in order: numbers without objects, since there may be millions. */
export class RowChanges {
  count = 0
  private readonly kinds: Uint8Array
  private readonly from: Int32Array
  private readonly to: Int32Array

  constructor(countMax: number) {
    this.kinds = new Uint8Array(countMax)
    this.from = new Int32Array(countMax)
    this.to = new Int32Array(countMax)
  }

  add(kind: RowChange['kind'], from: number, to: number): void {
    this.kinds[this.count] = kinds.indexOf(kind)
    this.from[this.count] = from
    this.to[this.count] = to
    this.count++
  }

  /** Some of the changes of some kinds. */
  page(wanted: readonly RowChange['kind'][], { offset, limit }: { offset: number; limit: number }): RowChange[] {
    const isWanted = kinds.map((kind) => wanted.includes(kind))
    const page: RowChange[] = []
    let skipped = 0
    for (let at = 0; at < this.count && page.length < limit; at++) {
      const kind = itemAt(this.kinds, at)
      if (!isWanted[kind] || skipped++ < offset) continue
      page.push({ kind: itemAt(kinds, kind), from: itemAt(this.from, at), to: itemAt(this.to, at) })
    }
    return page
  }
}
