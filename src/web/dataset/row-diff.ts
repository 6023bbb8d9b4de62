import { diffArrays } from 'diff'
import { postRaw } from '../api/client.ts'
import { memberText } from '../json/scan.ts'
import { itemsOf, membersOf } from './cells.ts'

/** A row of a version with its digest: equal rows have equal digests. */
export interface DigestedRow {
  readonly digest: string
  readonly text: string
}

/** A row that differs between two versions. */
export interface RowChange {
  readonly kind: 'added' | 'edited' | 'deleted'
  /** 0-based position in the older version. */
  readonly left: number | undefined
  /** 0-based position in the newer version. */
  readonly right: number | undefined
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
  /** Columns that differ. */
  readonly columns: readonly string[]
}

/** Rows that are in neither place get a partner if at least this share of their cells is equal. */
const commonShareMin = 0.3
const timeoutMs = 2_000

/** The rows that differ between two versions, in the order of the newer one. */
export function diffRows(before: readonly DigestedRow[], after: readonly DigestedRow[]): readonly RowChange[] {
  const changes: RowChange[] = []
  for (const { left, right, removed, added } of blocksOf(before, after)) {
    const gone = before.slice(left, left + removed)
    const come = after.slice(right, right + added)
    changes.push(...pairs(gone, come, left, right))
  }
  return changes
}

interface Block {
  readonly left: number
  readonly right: number
  readonly removed: number
  readonly added: number
}

/** Runs of rows that differ, between rows that are equal. */
function blocksOf(before: readonly DigestedRow[], after: readonly DigestedRow[]): readonly Block[] {
  const [a, b] = [before.map(({ digest }) => digest), after.map(({ digest }) => digest)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [old, now] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const whole = [{ left: start, right: start, removed: old.length, added: now.length }]
  const parts = diffArrays(old, now, { timeout: timeoutMs })
  if (parts === undefined) return whole
  const blocks: Block[] = []
  let [left, right] = [start, start]
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]
    if (part === undefined) break
    const { length } = part.value
    if (!part.added && !part.removed) {
      left += length
      right += length
      continue
    }
    const next = parts[at + 1]
    const isPair = next !== undefined && ((part.removed && next.added) || (part.added && next.removed))
    const sizes = [part, ...(isPair ? [next] : [])]
    const removed = sizes.reduce((sum, { removed: is, value }) => sum + (is ? value.length : 0), 0)
    const added = sizes.reduce((sum, { added: is, value }) => sum + (is ? value.length : 0), 0)
    blocks.push({ left, right, removed, added })
    left += removed
    right += added
    if (isPair) at++
  }
  return blocks
}

/** Rows of a block that answer each other, in their order; the others came or went. */
function pairs(gone: readonly DigestedRow[], come: readonly DigestedRow[], left: number, right: number): RowChange[] {
  const changes: RowChange[] = []
  const olds = gone.map(({ text }) => membersOf(text))
  let next = 0
  for (const [at, { text }] of come.entries()) {
    const after = membersOf(text)
    // The rest of the block is searched only as far as rows are likely to have moved.
    const found = olds.slice(next, next + 20).findIndex((old) => shareInCommon(old, after) >= commonShareMin)
    const partner = gone.length === come.length ? at : found < 0 ? -1 : next + found
    if (partner < 0) {
      changes.push(change('added', undefined, right + at, new Map(), after))
      continue
    }
    for (; next < partner; next++) changes.push(change('deleted', left + next, undefined, olds[next], new Map()))
    changes.push(change('edited', left + partner, right + at, olds[partner], after))
    next = partner + 1
  }
  for (; next < gone.length; next++) changes.push(change('deleted', left + next, undefined, olds[next], new Map()))
  return changes
}

function shareInCommon(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  let common = 0
  for (const [name, text] of before) if (after.get(name) === text) common++
  return common / Math.max(1, before.size, after.size)
}

function change(
  kind: RowChange['kind'],
  left: number | undefined,
  right: number | undefined,
  before: ReadonlyMap<string, string> = new Map(),
  after: ReadonlyMap<string, string> = new Map(),
): RowChange {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return { kind, left, right, before, after, columns: names.filter((name) => before.get(name) !== after.get(name)) }
}

/** What differs between two stored versions, as the server counts it, and the first changes. */
export interface StoredDiff {
  readonly added: number
  readonly edited: number
  readonly deleted: number
  readonly changes: readonly RowChange[]
}

const kinds = { added: 'added', changed: 'edited', removed: 'deleted' } as const

/** Compares two stored versions of any size. @throws {Problem} */
export async function readDiff(
  projectId: string,
  { name, from, to }: { readonly name: string; readonly from: string; readonly to: string },
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<StoredDiff> {
  const body = { project_id: projectId, object_id: name, from_digest: from, to_digest: to, limit }
  const text = await (await postRaw('/datasets/diff', body, { signal })).text()
  const count = (member: string) => Number(memberText(text, [member]))
  const changes = itemsOf(memberText(text, ['changes']) ?? '[]').map((item) => {
    const members = membersOf(item)
    const kind: keyof typeof kinds = JSON.parse(members.get('kind') ?? '"changed"')
    const place = (side: string) => {
      const index = members.get(`${side}_index`)
      return index === undefined || index === 'null' ? undefined : Number(index)
    }
    const row = (side: string) => membersOf(members.get(`${side}_row`) ?? '{}')
    return change(kinds[kind], place('from'), place('to'), row('from'), row('to'))
  })
  return { added: count('added'), edited: count('changed'), deleted: count('removed'), changes }
}
