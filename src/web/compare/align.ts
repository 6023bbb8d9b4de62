import { diffArrays } from 'diff'
import { itemAt } from '../../lib/present.ts'
import { nameOf, type Skeleton } from '../trace/skeleton.ts'

/** A tree to compare: a trace, or a call with what is below it. */
export interface Side {
  readonly id: string
  readonly skeleton: Skeleton
  /** Topmost rows. */
  readonly roots: readonly number[]
}

/** Calls of all sides that have the same place; -1 where a side has none. */
export interface AlignedRow {
  readonly depth: number
  readonly rows: readonly number[]
}

/** Row of the call of a side, or -1. */
export const rowIn = ({ rows }: AlignedRow, side: number): number => rows[side] ?? -1

/** Longer lists of siblings are aligned by position, not by the least difference. */
const siblingsMax = 5_000
/** Milliseconds after which the least difference of two lists is not looked for any more. */
const diffMsMax = 200

/** Aligns trees by name, kind and order of calls, level by level. */
export function alignTrees(sides: readonly Side[]): AlignedRow[] {
  const aligned: AlignedRow[] = []
  const pending: AlignedRow[] = matched(
    sides,
    sides.map(({ roots }) => roots),
    0,
    true,
  ).reverse()
  for (let next = pending.pop(); next; next = pending.pop()) {
    aligned.push(next)
    const children = sides.map(({ skeleton }, side) => childrenOf(skeleton, rowIn(next, side)))
    for (const row of matched(sides, children, next.depth + 1, false).reverse()) pending.push(row)
  }
  return aligned
}

/** Whether the sides differ in more than time: a call is missing, or went or cost otherwise. */
export function isDifferent(sides: readonly Side[], { rows }: AlignedRow): boolean {
  if (rows.includes(-1)) return true
  const first = itemAt(sides, 0).skeleton
  const base = itemAt(rows, 0)
  return sides.some(({ skeleton }, side) => {
    const row = itemAt(rows, side)
    return (
      skeleton.statuses[skeleton.status(row)] !== first.statuses[first.status(base)] ||
      skeleton.models[skeleton.model(row)] !== first.models[first.model(base)] ||
      !Object.is(skeleton.totalTokens(row), first.totalTokens(base)) ||
      skeleton.errorInside(row) !== first.errorInside(base)
    )
  })
}

function childrenOf({ end }: Skeleton, row: number): number[] {
  const children: number[] = []
  if (row < 0) return children
  for (let child = row + 1; child < end(row); child = end(child)) children.push(child)
  return children
}

/** Roots are the same whatever their names: they are what was chosen. */
function matched(sides: readonly Side[], lists: readonly (readonly number[])[], depth: number, areRoots: boolean) {
  let merged: Merged = []
  for (const [side, list] of lists.entries()) {
    const { skeleton } = itemAt(sides, side)
    const calls = list.map((row, at) => ({ key: areRoots ? String(at) : keyOf(skeleton, row), row }))
    merged = merge(merged, calls, side, sides.length)
  }
  return merged.map(({ rows }): AlignedRow => ({ depth, rows }))
}

type Merged = { key: string; rows: number[] }[]
type Keyed = { readonly key: string; readonly row: number }

function merge(merged: Merged, calls: readonly Keyed[], side: number, count: number): Merged {
  const added = ({ key, row }: Keyed) => ({
    key,
    rows: Array.from({ length: count }, (_, index) => (index === side ? row : -1)),
  })
  const known = merged.map(({ key }) => key)
  const keys = calls.map(({ key }) => key)
  const changes =
    Math.max(known.length, keys.length) > siblingsMax ? undefined : diffArrays(known, keys, { timeout: diffMsMax })
  if (!changes) return byPosition(merged, calls, side, added)
  const next: Merged = []
  let from = 0
  let to = 0
  for (const { added: isAdded, removed, value } of changes) {
    const old = isAdded ? [] : merged.slice(from, from + value.length)
    const own = removed ? [] : calls.slice(to, to + value.length)
    if (isAdded) next.push(...own.map(added))
    else next.push(...old)
    if (!isAdded) for (const [index, { row }] of own.entries()) itemAt(old, index).rows[side] = row
    from += old.length
    to += own.length
  }
  return next
}

function byPosition(
  merged: Merged,
  calls: readonly Keyed[],
  side: number,
  added: (call: Keyed) => Merged[number],
): Merged {
  const next: Merged = []
  for (let at = 0; at < Math.max(merged.length, calls.length); at++) {
    const known = merged[at]
    const call = calls[at]
    if (known) next.push(known)
    if (known && call && known.key === call.key) known.rows[side] = call.row
    else if (call) next.push(added(call))
  }
  return next
}

const keyOf = (skeleton: Skeleton, row: number): string =>
  `${skeleton.kinds[skeleton.kind(row)]} ${nameOf(skeleton, row)}`
