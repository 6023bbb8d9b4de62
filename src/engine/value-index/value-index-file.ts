import { wordAt, wordsOf } from '../../lib/bytes.ts'
import { lowerBound } from '../../lib/lower-bound.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import type { SectionPlace } from '../index-file/index-file.ts'
import {
  type Blocks,
  blockBitsOf,
  bytesOfSections,
  type CountsSection,
  type Description,
  descriptionBytes,
  descriptionOf,
  directoryBytesOf,
  type EntriesSection,
  firstEntryOf,
  headerBytes,
  pageEntries,
  type ValueCounts,
} from './value-index-format.ts'

/** Caches pages of value indexes for later lookups. */
export interface PageCache {
  get(key: string): Uint32Array | undefined
  set(key: string, page: Uint32Array): void
}

let lastId = 0

/**
 * The value index of one data file, a section of its index. The description and the directories of
 * requested columns are in memory; pages of 4 KiB are read when they are needed.
 */
export class ValueIndexFile {
  private readonly open: SectionPlace['open']
  /** Tells its pages in a cache from those of an index that it replaces. */
  private readonly id = ++lastId
  private readonly description: Description
  private readonly sectionsAt: number
  private readonly directories = new Map<string, Uint32Array>()
  private readonly blockBits: number

  private constructor(open: SectionPlace['open'], description: Description, sectionsAt: number) {
    this.open = open
    this.description = description
    this.sectionsAt = sectionsAt
    this.blockBits = blockBitsOf(description)
  }

  /** @returns undefined if the file is missing, or the description or length is damaged */
  static async find(place: SectionPlace): Promise<ValueIndexFile | undefined> {
    await using file = await place.open()
    if (file === undefined) return undefined
    const header = await file.read(place.at, headerBytes)
    const length = descriptionBytes(header)
    if (length === undefined || length > place.bytes) return undefined
    const description = descriptionOf(header, await file.read(place.at + headerBytes, length))
    if (description === undefined) return undefined
    if (place.bytes !== headerBytes + length + bytesOfSections(description)) return undefined
    return new ValueIndexFile(place.open, description, place.at + headerBytes + length)
  }

  get blocks(): Blocks {
    return this.description
  }

  locates(column: string): boolean {
    return this.entriesOf(column) !== undefined
  }

  counts(column: string): boolean {
    return this.countsOf(column) !== undefined
  }

  /**
   * The blocks that may hold a row with one of the values in a column of entries, ascending.
   *
   * @returns undefined if the file is gone or damaged
   */
  async blocksOf(column: string, values: readonly string[], cache: PageCache): Promise<number[] | undefined> {
    const section = this.entriesOf(column)
    if (section === undefined) return undefined
    await using lazy = new LazyFile(this.open)
    const directory = this.directories.get(column) ?? (await this.readDirectory(lazy, section))
    if (directory === undefined) return undefined
    this.directories.set(column, directory)
    const blocks = new Set<number>()
    const span = 2 ** this.blockBits
    for (const from of values.map((value) => firstEntryOf(value, this.blockBits)).toSorted((a, b) => a - b)) {
      for (let page = pageFor(directory, from); page * pageEntries < section.count; page++) {
        if (wordAt(directory, page * 2) >= from + span) break
        const entries = await this.page(lazy, section, directory, page, cache)
        if (entries === undefined) return undefined
        for (let at = firstAtLeast(entries, from); at < entries.length && wordAt(entries, at) < from + span; at++)
          blocks.add(wordAt(entries, at) - from)
      }
    }
    return [...blocks].sort((a, b) => a - b)
  }

  /**
   * How often each value of a column of counts occurs.
   *
   * @returns undefined if the file is gone or damaged
   */
  async valueCounts(column: string): Promise<ValueCounts | undefined> {
    const section = this.countsOf(column)
    if (section === undefined) return undefined
    await using file = await this.open()
    const bytes = await file?.read(this.sectionsAt + section.at, section.bytes)
    if (bytes === undefined || bytes.byteLength !== section.bytes || checksum(bytes) !== section.checksum)
      return undefined
    return JSON.parse(new TextDecoder().decode(bytes))
  }

  private entriesOf(column: string): EntriesSection | undefined {
    const { sections } = this.description
    return sections.find((one): one is EntriesSection => one.kind === 'entries' && one.column === column)
  }

  private countsOf(column: string): CountsSection | undefined {
    const { sections } = this.description
    return sections.find((one): one is CountsSection => one.kind === 'counts' && one.column === column)
  }

  private async readDirectory(lazy: LazyFile, section: EntriesSection): Promise<Uint32Array | undefined> {
    const length = directoryBytesOf(section.count)
    const bytes = await (await lazy.open())?.read(this.sectionsAt + section.at, length)
    return bytes?.byteLength === length && checksum(bytes) === section.checksum ? wordsOf(bytes) : undefined
  }

  private async page(
    lazy: LazyFile,
    { column, at, count }: EntriesSection,
    directory: Uint32Array,
    page: number,
    cache: PageCache,
  ): Promise<Uint32Array | undefined> {
    const key = `${this.id}\n${column}\n${page}`
    const known = cache.get(key)
    if (known !== undefined) return known
    const from = page * pageEntries
    const length = Math.min(pageEntries, count - from) * 4
    const bytes = await (await lazy.open())?.read(this.sectionsAt + at + directoryBytesOf(count) + from * 4, length)
    if (bytes?.byteLength !== length || checksum(bytes) !== directory[page * 2 + 1]) return undefined
    const entries = wordsOf(bytes)
    cache.set(key, entries)
    return entries
  }
}

/** A file that is opened when it is needed. */
class LazyFile implements AsyncDisposable {
  private readonly find: SectionPlace['open']
  private file: ReadableFile | undefined

  constructor(find: SectionPlace['open']) {
    this.find = find
  }

  async open(): Promise<ReadableFile | undefined> {
    this.file ??= await this.find()
    return this.file
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.file?.[Symbol.asyncDispose]()
  }
}

/** The first page that may hold an entry of at least `from`. */
const pageFor = (directory: Uint32Array, from: number): number =>
  Math.max(0, lowerBound(directory.length / 2, (page) => wordAt(directory, page * 2) < from) - 1)

const firstAtLeast = (entries: Uint32Array, from: number): number =>
  lowerBound(entries.length, (at) => wordAt(entries, at) < from)
