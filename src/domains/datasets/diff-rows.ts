import { itemAt } from '../../lib/present.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'

/** Row digests of one version, chunk by chunk. */
export type DigestChunks = readonly (readonly string[])[]

/** A row that differs: positions in either version; -1 where it is missing. */
export interface RowChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly from: number
  readonly to: number
}

export interface RowDiff {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number
  readonly changes: readonly RowChange[]
}

/** A row without an equal one: its position, and the equal row before it. */
interface Loose {
  readonly index: number
  readonly digest: string
  /** Position, in the older version, of the nearest equal row before it; -1 at the start. */
  readonly after: number
}

/**
 * Compares two versions. Equal rows are paired first, wherever they are, each once; then what is
 * left: by key if there is one, else what stands between the same equal rows, in order.
 *
 * @param keysOf keys of rows by digest; rows without a key are not paired
 */
export async function diffRows(
  from: DigestChunks,
  to: DigestChunks,
  keysOf?: (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RowDiff> {
  const { looseFrom, looseTo, same } = await looseRows(from, to)
  const pairs = await paired(looseFrom, looseTo, keysOf)
  const changes: RowChange[] = []
  const taken = new Set<number>(pairs.values())
  // Removed rows stand before what now follows the row that they followed.
  const removed = looseFrom.filter(({ index }) => !taken.has(index))
  let next = 0
  const takeRemoved = (before: number) => {
    for (let row = removed[next]; row !== undefined && row.index < before; row = removed[++next])
      changes.push({ kind: 'removed', from: row.index, to: -1 })
  }
  for (const { index, after } of looseTo) {
    const partner = pairs.get(index)
    takeRemoved(partner ?? after + 1)
    changes.push(
      partner === undefined ? { kind: 'added', from: -1, to: index } : { kind: 'changed', from: partner, to: index },
    )
  }
  takeRemoved(Number.POSITIVE_INFINITY)
  const changed = pairs.size
  return { added: looseTo.length - changed, removed: removed.length, changed, same, changes }
}

async function looseRows(from: DigestChunks, to: DigestChunks) {
  const slice = new TimeSlice()
  // Positions of rows of the older version that wait for an equal one: the first, and the others.
  const first = new Map<string, number>()
  const others = new Map<string, number[]>()
  let index = 0
  for (const chunk of from) {
    for (const digest of chunk) {
      if (!first.has(digest)) first.set(digest, index)
      else {
        const more = others.get(digest)
        if (more === undefined) others.set(digest, [index])
        else more.push(index)
      }
      index++
    }
    await slice.yieldIfExpired()
  }
  const matched = new Uint8Array(index)
  const looseTo: Loose[] = []
  let same = 0
  let after = -1
  index = 0
  for (const chunk of to) {
    for (const digest of chunk) {
      const partner = first.get(digest)
      if (partner === undefined || partner === -1) looseTo.push({ index, digest, after })
      else {
        const more = others.get(digest)
        first.set(digest, more?.shift() ?? -1)
        matched[partner] = 1
        same++
        after = partner
      }
      index++
    }
    await slice.yieldIfExpired()
  }
  const looseFrom: Loose[] = []
  after = -1
  index = 0
  for (const chunk of from) {
    for (const digest of chunk) {
      if (matched[index] === 1) after = index
      else looseFrom.push({ index, digest, after })
      index++
    }
  }
  return { looseFrom, looseTo, same }
}

/** Positions in the older version by position in the newer one. */
async function paired(
  looseFrom: readonly Loose[],
  looseTo: readonly Loose[],
  keysOf?: (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<ReadonlyMap<number, number>> {
  const digests = new Set([...looseFrom, ...looseTo].map(({ digest }) => digest))
  const keys = keysOf && (await keysOf([...digests]))
  const groupOf = (row: Loose): string | number | undefined => (keys === undefined ? row.after : keys.get(row.digest))
  const waiting = new Map<string | number, { readonly rows: number[]; next: number }>()
  for (const row of looseFrom) {
    const group = groupOf(row)
    if (group === undefined) continue
    const known = waiting.get(group)
    if (known === undefined) waiting.set(group, { rows: [row.index], next: 0 })
    else known.rows.push(row.index)
  }
  const pairs = new Map<number, number>()
  for (const row of looseTo) {
    const group = groupOf(row)
    const known = group === undefined ? undefined : waiting.get(group)
    if (known !== undefined && known.next < known.rows.length) pairs.set(row.index, itemAt(known.rows, known.next++))
  }
  return pairs
}
