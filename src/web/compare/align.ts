import { diffArrays } from 'diff'
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
    const children = sides.map(({ skeleton }, side) => childrenOf(skeleton, next.rows[side]!))
    for (const row of matched(sides, children, next.depth + 1, false).reverse()) pending.push(row)
  }
  return aligned
}

/** Whether the sides differ in more than time: a call is missing, or went or cost otherwise. */
export function isDifferent(sides: readonly Side[], { rows }: AlignedRow): boolean {
  if (rows.includes(-1)) return true
  const first = sides[0]!.skeleton
  const [base] = rows as [number, ...number[]]
  return rows.some((row, side) => {
    const { skeleton } = sides[side]!
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
  let merged: { key: string; rows: number[] }[] = []
  for (const [side, list] of lists.entries()) {
    const { skeleton } = sides[side]!
    const keys = list.map((row, at) => (areRoots ? String(at) : keyOf(skeleton, row)))
    merged = merge(merged, keys, list, side, sides.length)
  }
  return merged.map(({ rows }): AlignedRow => ({ depth, rows }))
}

type Merged = { key: string; rows: number[] }[]

function merge(merged: Merged, keys: readonly string[], list: readonly number[], side: number, count: number): Merged {
  const added = (at: number) => ({
    key: keys[at]!,
    rows: Array.from({ length: count }, (_, index) => (index === side ? list[at]! : -1)),
  })
  const known = merged.map(({ key }) => key)
  const changes =
    Math.max(known.length, keys.length) > siblingsMax ? undefined : diffArrays(known, [...keys], { timeout: diffMsMax })
  if (!changes) return byPosition(merged, keys, list, side, added)
  const next: Merged = []
  let from = 0
  let to = 0
  for (const { added: isAdded, removed, value } of changes) {
    for (let step = 0; step < value.length; step++) {
      if (isAdded) next.push(added(to++))
      else if (removed) next.push(merged[from++]!)
      else {
        const both = merged[from++]!
        both.rows[side] = list[to++]!
        next.push(both)
      }
    }
  }
  return next
}

function byPosition(
  merged: Merged,
  keys: readonly string[],
  list: readonly number[],
  side: number,
  added: (at: number) => Merged[number],
): Merged {
  const next: Merged = []
  for (let at = 0; at < Math.max(merged.length, keys.length); at++) {
    const known = merged[at]
    if (known && known.key === keys[at]) {
      known.rows[side] = list[at]!
      next.push(known)
    } else {
      if (known) next.push(known)
      if (at < keys.length) next.push(added(at))
    }
  }
  return next
}

const keyOf = (skeleton: Skeleton, row: number): string =>
  `${skeleton.kinds[skeleton.kind(row)]} ${nameOf(skeleton, row)}`
