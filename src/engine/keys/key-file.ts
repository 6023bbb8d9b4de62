import { plainBytes, wordAt, wordsOf } from '../../lib/bytes.ts'
import { lowerBound } from '../../lib/lower-bound.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import { findSections, isEmpty, type SectionPlace } from '../index-file/index-file.ts'
import { sectionVersions } from '../index-file/index-file-format.ts'
import type { TableLayout } from '../layout.ts'
import { compareHashes, type Hashing, hashingOf, type SortedHashes } from './bloom-filter.ts'

/** Hashes per page; the last page may have fewer. */
const pageHashes = 512
const hashBytes = 8
const headerBytes = 16
const entryBytes = 8
const magic = 0x31594b54

/**
 * The key hashes of one data file, a section of its index: a lookup reads one page of 4 KiB. Only
 * the first hash and the checksum of each page are in memory, 8 bytes per 512 rows. The format is
 * in docs/data-on-disk.md.
 */
export class KeyFile {
  readonly count: number
  private readonly place: SectionPlace
  /** For each page: the upper half of its first hash, and the checksum of its bytes. */
  private readonly directory: Uint32Array

  private constructor(place: SectionPlace, count: number, directory: Uint32Array) {
    this.place = place
    this.count = count
    this.directory = directory
  }

  /** @returns undefined if the file is missing or the header or length of the section is damaged */
  static async find(place: SectionPlace): Promise<KeyFile | undefined> {
    await using file = await place.open()
    if (file === undefined) return undefined
    const header = wordsOf(await file.read(place.at, headerBytes))
    if (header.length * 4 !== headerBytes || header[0] !== magic) return undefined
    const count = wordAt(header, 1)
    const length = pagesOf(count) * entryBytes
    if (place.bytes !== headerBytes + length + count * hashBytes) return undefined
    const directory = wordsOf(await file.read(place.at + headerBytes, length))
    if (directory.byteLength !== length || header[2] !== directoryChecksum(count, directory)) return undefined
    return new KeyFile(place, count, directory)
  }

  /** How its keys are hashed. */
  get hashing(): Hashing {
    return hashingOf(this.place)
  }

  /** Memory held by this object. */
  get memoryBytes(): number {
    return this.directory.byteLength
  }

  /**
   * Which of the hashes at the given indexes of `hashes` the file contains.
   *
   * @returns those indexes; undefined if the file is gone or damaged
   */
  async findPresent(hashes: Uint32Array, indexes: readonly number[]): Promise<number[] | undefined> {
    await using file = await this.place.open()
    if (file === undefined) return undefined
    const found: number[] = []
    let pageNumber = -1
    let page: Uint32Array = new Uint32Array(0)
    for (const index of indexes.toSorted((i, j) => compareHashes(hashes, i * 2, hashes, j * 2))) {
      const [first, last] = this.pagesOf(wordAt(hashes, index * 2 + 1))
      for (let number = first; number <= last; number++) {
        if (number !== pageNumber) {
          const read = await this.page(file, number)
          if (read === undefined) return undefined
          page = read
          pageNumber = number
        }
        if (pageHas(page, hashes, index * 2)) {
          found.push(index)
          break
        }
      }
    }
    return found
  }

  /**
   * The hashes whose upper halves are between these, both included, and some below and above them.
   *
   * @throws Error if the file is gone or damaged
   */
  async hashesBetween(lower: number, upper: number): Promise<SortedHashes> {
    const { directory } = this
    const pages = directory.length / 2
    const first = Math.max(0, lowerBound(pages, (page) => wordAt(directory, page * 2) < lower) - 1)
    const end = lowerBound(pages, (page) => wordAt(directory, page * 2) <= upper)
    if (first >= end) return new Uint32Array(0)
    await using file = await this.place.open()
    const from = first * pageHashes
    const length = (Math.min(this.count, end * pageHashes) - from) * hashBytes
    const bytes = await file?.read(this.pagesAt + from * hashBytes, length)
    for (let page = first; page < end; page++) {
      const at = (page - first) * pageHashes * hashBytes
      if (
        bytes?.byteLength !== length ||
        checksum(bytes.subarray(at, at + pageHashes * hashBytes)) !== directory[page * 2 + 1]
      )
        throw new Error(`Cannot read the keys in ${this.place.path}: page ${page} of ${pages} is missing or damaged`)
    }
    return bytes === undefined ? new Uint32Array(0) : wordsOf(bytes)
  }

  /**
   * The pages that may contain hashes with this upper half. More than one only if that many keys
   * share it.
   */
  private pagesOf(upper: number): [first: number, last: number] {
    const { directory } = this
    const after = lowerBound(directory.length / 2, (page) => wordAt(directory, page * 2) < upper)
    // The first page that starts at or above this half; the page before it may end with it.
    const first = Math.max(0, after - 1)
    let last = first
    while ((last + 1) * 2 < directory.length && wordAt(directory, (last + 1) * 2) === upper) last++
    return directory.length === 0 ? [0, -1] : [first, last]
  }

  private get pagesAt(): number {
    return this.place.at + headerBytes + this.directory.byteLength
  }

  private async page(file: ReadableFile, number: number): Promise<Uint32Array | undefined> {
    const from = number * pageHashes
    const length = Math.min(pageHashes, this.count - from) * hashBytes
    const bytes = await file.read(this.pagesAt + from * hashBytes, length)
    if (bytes.byteLength !== length || checksum(bytes) !== this.directory[number * 2 + 1]) return undefined
    return wordsOf(bytes)
  }
}

const pagesOf = (count: number): number => Math.ceil(count / pageHashes)

const directoryChecksum = (count: number, directory: Uint32Array): number =>
  checksum(plainBytes(directory), checksum(plainBytes(Uint32Array.of(count))))

/** The bytes of a section with these hashes. */
export function bytesOfKeys(hashes: SortedHashes): Uint8Array {
  const count = hashes.length / 2
  const directory = new Uint32Array(pagesOf(count) * 2)
  for (let number = 0; number < pagesOf(count); number++) {
    const page = hashes.subarray(number * pageHashes * 2, (number + 1) * pageHashes * 2)
    directory[number * 2] = wordAt(page, 1)
    directory[number * 2 + 1] = checksum(plainBytes(page))
  }
  const bytes = new Uint8Array(headerBytes + directory.byteLength + hashes.byteLength)
  bytes.set(plainBytes(Uint32Array.of(magic, count, directoryChecksum(count, directory), 0)))
  bytes.set(plainBytes(directory), headerBytes)
  bytes.set(plainBytes(hashes), headerBytes + directory.byteLength)
  return bytes
}

function pageHas(page: Uint32Array, hashes: Uint32Array, at: number): boolean {
  const count = page.length / 2
  const found = lowerBound(count, (number) => compareHashes(page, number * 2, hashes, at) < 0)
  return found < count && compareHashes(page, found * 2, hashes, at) === 0
}

/**
 * The hashes of all filtered values of a data file, its keys first; undefined if its index lacks
 * some, or has those of an earlier version.
 */
export async function findHashLists(layout: TableLayout, fileName: string): Promise<readonly KeyFile[] | undefined> {
  const sections = await findSections(layout.index(fileName), layout.files)
  const lists: KeyFile[] = []
  for (const name of ['keys', 'hashes'] as const) {
    const place = sections?.get(name)
    if (place?.version !== sectionVersions[name]) return undefined
    if (isEmpty(place)) continue
    const list = await KeyFile.find(place)
    if (list === undefined) return undefined
    lists.push(list)
  }
  return lists
}
