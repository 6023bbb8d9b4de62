import { concatBytes, plainBytes, wordAt, wordsOf } from '../../lib/bytes.ts'
import { md5Start } from '../../runtime/platform/crypto.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'

/** How many rows a file has, and how many of them form a block. */
export interface Blocks {
  readonly rows: number
  readonly blockRows: number
}

/**
 * Rows are found by blocks: DuckDB decompresses a run of rows as a whole anyway. There is one entry
 * for each value in a block: the upper bits of the value's hash, and the number of the block, which
 * takes this many bits.
 */
export function blockBitsOf({ rows, blockRows }: Blocks): number {
  let bits = 1
  while (2 ** bits * blockRows < rows) bits++
  return bits
}

/**
 * SQL for the sorted entries of a column of a data file. `md5_number_upper` is the number that
 * `md5Start` returns.
 */
export function entriesSql(column: string, source: string, blocks: Blocks): string {
  const blockBits = blockBitsOf(blocks)
  const entry = `((md5_number_upper(value) >> ${32 + blockBits}) << ${blockBits}) | block`
  return `SELECT (${entry})::UINTEGER AS entry FROM (
      SELECT "${column}" AS value, file_row_number // ${blocks.blockRows} AS block FROM ${source}
      WHERE "${column}" IS NOT NULL GROUP BY ALL
    ) ORDER BY entry`
}

/** The smallest entry that a value may have; it has up to `2 ** blockBits` of them. */
export const firstEntryOf = (value: string, blockBits: number): number =>
  Number((md5Start(value) >> BigInt(32 + blockBits)) << BigInt(blockBits))

/*
 * A value index: a header of four words (magic, bytes of the description, its checksum, zero), the
 * description as JSON, then the sections that it lists. The format is in docs/data-on-disk.md.
 */

const magic = 0x31584956
export const headerBytes = 16
/** Entries per page of a section of entries; the last page may have fewer. */
export const pageEntries = 1024

/** Sorted entries that locate rows: a directory of pages, then the pages. */
export interface EntriesSection {
  readonly kind: 'entries'
  readonly column: string
  /** First byte, counted from the end of the description. */
  readonly at: number
  readonly count: number
  /** Of the directory: for each page its first entry and its checksum. */
  readonly checksum: number
}

/** How often each value of a column occurs, as JSON. */
export interface CountsSection {
  readonly kind: 'counts'
  readonly column: string
  readonly at: number
  readonly bytes: number
  readonly checksum: number
}

export interface Description extends Blocks {
  readonly sections: readonly (EntriesSection | CountsSection)[]
}

/** Calls of each project by the value of a column; null for calls without one. */
export type ValueCounts = readonly (readonly [
  project: string,
  counts: readonly (readonly [value: string | null, calls: number])[],
])[]

/** The contents of a value index. */
export interface ValueIndexContents extends Blocks {
  readonly entries: ReadonlyMap<string, Uint32Array>
  readonly counts: ReadonlyMap<string, ValueCounts>
}

const pagesOf = (entries: number): number => Math.ceil(entries / pageEntries)
export const directoryBytesOf = (entries: number): number => pagesOf(entries) * 8

/** The bytes of an index. Sections begin at a multiple of four bytes. */
export function bytesOfValueIndex({ rows, blockRows, entries, counts }: ValueIndexContents): Uint8Array {
  const sections: (EntriesSection | CountsSection)[] = []
  const pieces: Uint8Array[] = []
  let at = 0
  const add = (piece: Uint8Array) => {
    const padded = new Uint8Array(Math.ceil(piece.byteLength / 4) * 4)
    padded.set(piece)
    pieces.push(padded)
    at += padded.byteLength
  }
  for (const [column, words] of entries) {
    const directory = directoryOf(words)
    sections.push({ kind: 'entries', column, at, count: words.length, checksum: checksum(directory) })
    add(directory)
    add(plainBytes(words))
  }
  for (const [column, found] of counts) {
    const text = new TextEncoder().encode(JSON.stringify(found))
    sections.push({ kind: 'counts', column, at, bytes: text.byteLength, checksum: checksum(text) })
    add(text)
  }
  return concatBytes([...headerOf({ rows, blockRows, sections }), ...pieces])
}

function headerOf(description: Description): [Uint8Array, Uint8Array] {
  const text = JSON.stringify(description)
  const bytes = new TextEncoder().encode(text + ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4))
  return [plainBytes(Uint32Array.of(magic, bytes.byteLength, checksum(bytes), 0)), bytes]
}

/** The bytes of the description; undefined if this is not the header of a value index. */
export function descriptionBytes(header: Uint8Array): number | undefined {
  const words = wordsOf(header)
  return words.length === headerBytes / 4 && words[0] === magic ? words[1] : undefined
}

/** The description that follows a header; undefined if it is damaged. */
export function descriptionOf(header: Uint8Array, text: Uint8Array): Description | undefined {
  if (text.byteLength !== descriptionBytes(header) || checksum(text) !== wordsOf(header)[2]) return undefined
  return JSON.parse(new TextDecoder().decode(text))
}

/** Bytes of a whole index with this description. */
export function bytesOfSections({ sections }: Description): number {
  const last = sections.at(-1)
  if (last === undefined) return 0
  if (last.kind === 'counts') return last.at + Math.ceil(last.bytes / 4) * 4
  return last.at + directoryBytesOf(last.count) + last.count * 4
}

function directoryOf(entries: Uint32Array): Uint8Array {
  const directory = new Uint32Array(pagesOf(entries.length) * 2)
  for (let page = 0; page * 2 < directory.length; page++) {
    const words = entries.subarray(page * pageEntries, (page + 1) * pageEntries)
    directory[page * 2] = wordAt(words, 0)
    directory[page * 2 + 1] = checksum(plainBytes(words))
  }
  return plainBytes(directory)
}
