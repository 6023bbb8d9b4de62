import { byteAt, numberAt, wordAt } from '../../lib/bytes.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { valueAt } from '../../lib/present.ts'
import type { RowRanges } from '../../lib/relation.ts'
import type { TextCondition } from '../../lib/text-condition.ts'
import type { Log } from '../../runtime/log.ts'
import { findSection, isEmpty } from '../index-file/index-file.ts'
import { isUsedVersion } from '../index-file/index-file-format.ts'
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
    const last = wordAt(file.rowEnds, segment) - 1
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
      return condition.buckets.every(
        (bucket) => (byteAt(valueAt(bits, bucket), segment >>> 3) & (1 << (segment & 7))) !== 0,
      )
  }
}

/**
 * The text filters of a table's data files. Only the metadata needed to read them is kept in
 * memory. See docs/decisions/134-text-filters.md.
 */
export class TextFilters {
  private readonly layout: TableLayout
  private readonly log: Log
  /** By data file name; undefined if there is no usable filter. */
  private readonly files = new Map<string, TextFilterFile | undefined>()
  /** Names of data files that need no filter. */
  private readonly small = new Set<string>()

  constructor(layout: TableLayout, log: Log) {
    this.layout = layout
    this.log = log
  }

  /**
   * The rows of these data files that may match, by file name. Of files that are not listed, any
   * row may match.
   */
  async lookUp(fileNames: readonly string[], condition: TextCondition): Promise<ReadonlyMap<string, RowRanges>> {
    const found = new Map<string, RowRanges>()
    const grams = gramConditionOf(condition)
    if (grams === undefined) return found
    const queue = fileNames.values()
    const work = async () => {
      for (const fileName of queue) {
        const ranges = await this.rangesOf(fileName, grams)
        if (ranges !== undefined) found.set(fileName, ranges)
      }
    }
    await Promise.all(Array.from({ length: storageLimits.textFiltersReadAtOnce }, work))
    return found
  }

  /** Those of all data files of a table, if at hand, that may need a filter and have none. */
  async filesWithout<F extends { readonly fileName: string }>(dataFiles: readonly F[]): Promise<F[]> {
    const names = new Set(dataFiles.map(({ fileName }) => fileName))
    for (const known of [this.files, this.small])
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
    const without: F[] = []
    for (const dataFile of dataFiles) {
      const { fileName } = dataFile
      if (!this.layout.hasIndexAtHand(fileName)) continue
      if ((await this.fileOf(fileName)) === undefined && !this.small.has(fileName)) without.push(dataFile)
    }
    return without
  }

  /** Call when the filter of a file has been written, or when it turned out to need none. */
  wasRebuilt(fileName: string, isSmall: boolean): void {
    this.files.delete(fileName)
    if (isSmall) this.small.add(fileName)
  }

  private async fileOf(fileName: string): Promise<TextFilterFile | undefined> {
    if (!this.files.has(fileName)) this.files.set(fileName, await this.find(fileName))
    return this.files.get(fileName)
  }

  private async find(fileName: string): Promise<TextFilterFile | undefined> {
    const place = await findSection(this.layout, fileName, 'texts')
    if (place === undefined || !isUsedVersion('texts', place.version)) return undefined
    if (isEmpty(place)) this.small.add(fileName)
    return await TextFilterFile.find(place)
  }

  private async rangesOf(fileName: string, grams: GramCondition): Promise<RowRanges | undefined> {
    // A filter only repeats what the data file says, so an unreadable one fails no request.
    try {
      const file = await this.fileOf(fileName)
      if (file === undefined) return undefined
      const ranges = await rowsThatMayMatch(file, grams)
      // Unless the index has been rebuilt since.
      if (ranges === undefined && this.files.get(fileName) === file) this.files.set(fileName, undefined)
      return ranges
    } catch (err) {
      this.log.warn({ err, file: fileName }, 'cannot read the text filter of a data file')
      return undefined
    }
  }
}
