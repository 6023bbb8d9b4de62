import type { RowRanges } from '../../lib/relation.ts'
import type { TextCondition } from '../../lib/text-condition.ts'
import { bucketsOf } from './grams.ts'
import type { TextFilterFile } from './text-filter-file.ts'

/** Grams read per text: more would rarely rule out further rows. */
const gramsMax = 8

/** A text condition with the buckets of its texts; they are the same for every file. */
export type GramCondition =
  | { readonly kind: 'all' | 'any'; readonly items: readonly GramCondition[] }
  | { readonly kind: 'grams'; readonly buckets: readonly number[]; readonly ignoreCase: boolean }

/** @returns undefined if the condition rules out nothing */
export function gramConditionOf(condition: TextCondition): GramCondition | undefined {
  if (condition.kind === 'contains') {
    const buckets = spread(bucketsOf(condition.text, condition.ignoreCase))
    return buckets.length === 0 ? undefined : { kind: 'grams', buckets, ignoreCase: condition.ignoreCase }
  }
  const items = condition.items.map(gramConditionOf)
  const known = items.filter((item) => item !== undefined)
  if (known.length === 0 || (condition.kind === 'any' && known.length < items.length)) return undefined
  return { kind: condition.kind, items: known }
}

/** Grams from all parts of a text: neighbours tell less. */
function spread(buckets: readonly number[]): number[] {
  if (buckets.length <= gramsMax) return [...buckets]
  return Array.from({ length: gramsMax }, (_, at) => buckets[Math.floor((at * (buckets.length - 1)) / (gramsMax - 1))]!)
}

/**
 * The rows that may match; undefined if nothing is known, because the filter is gone or damaged.
 */
export async function rowsThatMayMatch(file: TextFilterFile, condition: GramCondition): Promise<RowRanges | undefined> {
  const bits = await file.bitsOf([...new Set(bucketsIn(condition))])
  if (bits === undefined) return undefined
  const ranges: [number, number][] = []
  for (let segment = 0; segment < file.segments; segment++) {
    if (!mayHold(condition, segment, bits, file)) continue
    const first = segment === 0 ? 0 : file.rowEnds[segment - 1]!
    const last = file.rowEnds[segment]! - 1
    const before = ranges.at(-1)
    if (before !== undefined && before[1] === first - 1) before[1] = last
    else ranges.push([first, last])
  }
  return ranges
}

const bucketsIn = (condition: GramCondition): readonly number[] =>
  condition.kind === 'grams' ? condition.buckets : condition.items.flatMap(bucketsIn)

function mayHold(
  condition: GramCondition,
  segment: number,
  bits: ReadonlyMap<number, Uint8Array>,
  file: TextFilterFile,
): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.items.every((item) => mayHold(item, segment, bits, file))
    case 'any':
      return condition.items.some((item) => mayHold(item, segment, bits, file))
    case 'grams':
      if (condition.ignoreCase && file.hasFolded(segment)) return true
      return condition.buckets.every((bucket) => (bits.get(bucket)![segment >>> 3]! & (1 << (segment & 7))) !== 0)
  }
}
