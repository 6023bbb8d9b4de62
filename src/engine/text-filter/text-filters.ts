import { byteAt, numberAt, wordAt } from '../../lib/bytes.ts'
import { forEachConcurrent } from '../../lib/concurrency.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { valueAt } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import { union } from '../../lib/row-ranges.ts'
import type { TextCondition } from '../../lib/text-condition.ts'
import type { Log } from '../../runtime/log.ts'
import { findSection, isEmpty } from '../index-file/index-file.ts'
import { isUsedVersion } from '../index-file/index-file-format.ts'
import { SectionReaders } from '../index-file/section-readers.ts'
import type { TableLayout } from '../layout.ts'
import { bucketsOf } from './text-filter-builder.ts'
import { TextFilterFile } from './text-filter-file.ts'

/** Grams read per text: more would rarely rule out further rows. */
const gramsMax = 8

/** A text condition with the buckets of its texts; they are the same for every file. */
type GramCondition =
  | { readonly kind: 'all' | 'any'; readonly items: readonly GramCondition[] }
  | { readonly kind: 'grams'; readonly buckets: readonly number[]; readonly ignoreCase: boolean }

/** @returns undefined if the condition rules out nothing */
function gramConditionOf(condition: TextCondition): GramCondition | undefined {
  if (condition.kind === 'contains') {
    const buckets = spread(bucketsOf(condition.text, condition.ignoreCase))
    return buckets.length === 0 ? undefined : { kind: 'grams', buckets, ignoreCase: condition.ignoreCase }
  }
  const items = condition.items.map(gramConditionOf)
  const known = items.filter((item) => item !== undefined)
  if (known.length === 0 || (condition.kind === 'any' && known.length < items.length)) return undefined
  return { kind: condition.kind, items: known }
}

/** Grams from all parts of a text, because neighbouring grams are less selective. */
function spread(buckets: readonly number[]): number[] {
  if (buckets.length <= gramsMax) return [...buckets]
  return Array.from({ length: gramsMax }, (_, at) =>
    numberAt(buckets, Math.floor((at * (buckets.length - 1)) / (gramsMax - 1))),
  )
}

/**
 * The rows that may match; undefined if nothing is known, because the filter is gone or damaged.
 */
async function rowsThatMayMatch(file: TextFilterFile, condition: GramCondition): Promise<RowRanges | undefined> {
  const bits = await file.bitsOf([...new Set(bucketsIn(condition))])
  if (bits === undefined) return undefined
  const ranges: [number, number][] = []
  for (let segment = 0; segment < file.segments; segment++) {
    if (!mayHold(condition, segment, bits, file)) continue
    const first = segment === 0 ? 0 : wordAt(file.rowEnds, segment - 1)
    ranges.push([first, wordAt(file.rowEnds, segment) - 1])
  }
  return union(ranges)
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
      return condition.buckets.every(
        (bucket) => (byteAt(valueAt(bits, bucket), segment >>> 3) & (1 << (segment & 7))) !== 0,
      )
  }
}

/** A data file that needs no filter. */
const unnecessary = 'unnecessary'

/**
 * The text filters of a table's data files. Only the metadata needed to read them is kept in
 * memory. See docs/decisions/134-text-filters.md.
 */
export class TextFilters {
  readonly sections: SectionReaders<{ readonly fileName: string }, TextFilterFile | typeof unnecessary>

  constructor(layout: TableLayout, log: Log) {
    this.sections = new SectionReaders(layout, log, {
      what: 'text filter',
      open: async ({ fileName }) => {
        const place = await findSection(layout, fileName, 'texts')
        if (place === undefined || !isUsedVersion('texts', place.version)) return undefined
        return isEmpty(place) ? unnecessary : await TextFilterFile.find(place)
      },
    })
  }

  /**
   * The rows of these data files that may match, by file name. Of files that are not listed, any
   * row may match.
   */
  async lookUp(fileNames: readonly string[], condition: TextCondition): Promise<ReadonlyMap<string, RowRanges>> {
    const found = new Map<string, RowRanges>()
    const grams = gramConditionOf(condition)
    if (grams === undefined) return found
    await forEachConcurrent(fileNames, storageLimits.textFiltersReadAtOnce, async (fileName) => {
      const ranges = await this.sections.read({ fileName }, async (file) =>
        file === unnecessary ? null : await rowsThatMayMatch(file, grams),
      )
      if (ranges !== undefined) found.set(fileName, ranges)
    })
    return found
  }
}
