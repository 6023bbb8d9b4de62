import { itemAt } from '../../lib/present.ts'
import { TimeSlice } from '../../runtime/platform/event-loop.ts'
import { RowChanges } from './row-changes.ts'

/** Row digests of one version, chunk by chunk. */
export type DigestChunks = readonly (readonly string[])[]

export interface RowDiff {
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number
  readonly changes: RowChanges
}

/** Keys of rows by digest; rows without a key are not paired. */
type KeysOf = (digests: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** In place of a position: there is none. */
const none = -1

/**
 * Compares two versions. Equal rows are paired first, wherever they are, each once; then what is
 * left: by key if there is one, else what stands between the same equal rows, in order.
 */
export async function diffRows(from: DigestChunks, to: DigestChunks, keysOf?: KeysOf): Promise<RowDiff> {
  const { partners, matched, same } = await equalRows(from, to)
  const pairs =
    keysOf === undefined ? pairedInOrder(partners, matched) : await pairedByKey({ from, to, partners, matched }, keysOf)
  const taken = new Uint8Array(matched.length)
  let changed = 0
  for (const row of pairs) {
    if (row === none) continue
    taken[row] = 1
    changed++
  }
  const loose = { from: matched.length - same, to: partners.length - same }
  const changes = new RowChanges(loose.from + loose.to - changed)
  // Removed rows stand before what now follows the row that they followed.
  let next = 0
  const addRemoved = (before: number) => {
    for (; next < before; next++) if (matched[next] === 0 && taken[next] === 0) changes.add('removed', next, none)
  }
  let after = none
  const slice = new TimeSlice()
  for (let index = 0; index < partners.length; index++) {
    if (slice.expired) await slice.yield()
    const equal = itemAt(partners, index)
    if (equal !== none) {
      after = equal
      continue
    }
    const partner = itemAt(pairs, index)
    addRemoved(partner === none ? after + 1 : partner)
    changes.add(partner === none ? 'added' : 'changed', partner, index)
  }
  addRemoved(matched.length)
  return { added: loose.to - changed, removed: loose.from - changed, changed, same, changes }
}

/**
 * Pairs equal rows: for each row of the newer version the position of its partner, and which rows
 * of the older one have a partner.
 */
async function equalRows(from: DigestChunks, to: DigestChunks) {
  const slice = new TimeSlice()
  // The row of the older version that waits for an equal one, and the next row equal to a row.
  const waiting = new Map<string, number>()
  const nextEqual = new Int32Array(lengthOf(from)).fill(none)
  let index = nextEqual.length
  // From the end: of equal rows, the first waits first.
  for (const chunk of from.toReversed()) {
    for (let at = chunk.length - 1; at >= 0; at--) {
      index--
      const digest = itemAt(chunk, at)
      const later = waiting.get(digest)
      if (later !== undefined) nextEqual[index] = later
      waiting.set(digest, index)
    }
    await slice.yieldIfExpired()
  }
  const matched = new Uint8Array(nextEqual.length)
  const partners = new Int32Array(lengthOf(to)).fill(none)
  let same = 0
  for (const chunk of to) {
    for (const digest of chunk) {
      const partner = waiting.get(digest) ?? none
      if (partner !== none) {
        waiting.set(digest, itemAt(nextEqual, partner))
        matched[partner] = 1
        partners[index] = partner
        same++
      }
      index++
    }
    await slice.yieldIfExpired()
  }
  return { partners, matched, same }
}

/** Pairs the rows that follow the same equal row: the first with the first, and so on. */
function pairedInOrder(partners: Int32Array, matched: Uint8Array): Int32Array {
  const pairs = new Int32Array(partners.length).fill(none)
  let candidate = 0
  for (let index = 0; index < partners.length; index++) {
    const equal = itemAt(partners, index)
    if (equal !== none) candidate = equal + 1
    else if (matched[candidate] === 0) pairs[index] = candidate++
  }
  return pairs
}

/** Pairs rows of the same key: the first with the first, and so on. */
async function pairedByKey(
  rows: {
    readonly from: DigestChunks
    readonly to: DigestChunks
    readonly partners: Int32Array
    readonly matched: Uint8Array
  },
  keysOf: KeysOf,
): Promise<Int32Array> {
  const { partners, matched } = rows
  const looseFrom = looseRows(rows.from, (index) => matched[index] === 0)
  const looseTo = looseRows(rows.to, (index) => partners[index] === none)
  const keys = await keysOf([...new Set([...looseFrom, ...looseTo].map(({ digest }) => digest))])
  const waiting = new Map<string, { readonly rows: number[]; next: number }>()
  for (const { digest, index } of looseFrom) {
    const key = keys.get(digest)
    if (key === undefined) continue
    const known = waiting.get(key)
    if (known === undefined) waiting.set(key, { rows: [index], next: 0 })
    else known.rows.push(index)
  }
  const pairs = new Int32Array(partners.length).fill(none)
  for (const { digest, index } of looseTo) {
    const key = keys.get(digest)
    const known = key === undefined ? undefined : waiting.get(key)
    if (known !== undefined && known.next < known.rows.length) pairs[index] = itemAt(known.rows, known.next++)
  }
  return pairs
}

function looseRows(chunks: DigestChunks, isLoose: (index: number) => boolean) {
  const loose: { readonly digest: string; readonly index: number }[] = []
  let index = 0
  for (const chunk of chunks) {
    for (const digest of chunk) {
      if (isLoose(index)) loose.push({ digest, index })
      index++
    }
  }
  return loose
}

const lengthOf = (chunks: DigestChunks): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0)
