import { concatBytes, wordAt } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'

/**
 * What an index file says about the rows of its data file, in the order of the file: their sums by
 * hour or minute, which ids they may have, which keys they have, which other values of filtered
 * columns, which rows may contain a text, and which have a value.
 */
export const sectionNames = ['rollup', 'bloom', 'keys', 'hashes', 'texts', 'values'] as const
export type SectionName = (typeof sectionNames)[number]

/**
 * The versions of the sections that are written. Raised when the content of a section changes: then
 * sections of earlier versions are rebuilt in the background.
 */
export const sectionVersions: Readonly<Record<SectionName, number>> = {
  // Version 1 added up rows by hour only, and is read as well.
  rollup: 2,
  // Version 1 was a file of its own, with other hashes; see `hashValue`.
  bloom: 2,
  keys: 2,
  // As of `keys`: the hashes are the same.
  hashes: 2,
  // Version 1 divided wide rows differently, and is read as well.
  texts: 2,
  values: 1,
}

/** Whether a section of this version is used as it is; otherwise it is rebuilt. */
export const isUsedVersion = (name: SectionName, version: number): boolean =>
  version === sectionVersions[name] || ((name === 'texts' || name === 'rollup') && version === 1)

/** A section to write. */
export interface Section {
  readonly name: SectionName
  readonly version: number
  /** Empty if the data file needs no such section. */
  readonly content: Uint8Array
}

/** A section in the directory of an index file. */
interface SectionEntry {
  /** Later versions may write sections of other names. */
  readonly name: string
  readonly version: number
  /** First byte. */
  readonly at: number
  readonly bytes: number
  /** Bytes that follow at the end of the file: the footer of a Parquet file. */
  readonly ending: number
  /** CRC-32 of all its bytes. */
  readonly checksum: number
}

/** The directory of an index file: JSON. */
export interface Directory {
  readonly version: number
  readonly sections: readonly SectionEntry[]
}

/*
 * An index file: the sections, the directory, then four words (bytes of the directory, its
 * checksum, zero, magic). A rollup is a Parquet file, which DuckDB reads in place: its rows come
 * first, and its footer last, so that the index file is a Parquet file with other sections in
 * between. The format is in docs/data-on-disk.md and docs/decisions/270-one-index-file.md.
 */

const directoryVersion = 1
const magic = 0x31584954
const tailBytes = 16
/** Bytes at the end of a Parquet file: the length of its footer, and `PAR1`. */
const parquetTailBytes = 8
const parquetMagic = 0x31524150
const alignment = 8

/** The bytes of an index file with these sections. */
export function bytesOfIndexFile(sections: readonly Section[]): Uint8Array {
  const entries: SectionEntry[] = []
  const pieces: Uint8Array[] = []
  let at = 0
  let end: Uint8Array = new Uint8Array(0)
  for (const { name, version, content } of inOrder(sections)) {
    const ending = name === 'rollup' ? parquetFooterBytes(content) : 0
    const bytes = content.byteLength - ending
    entries.push({ name, version, at, bytes, ending, checksum: checksum(content) })
    const padding = new Uint8Array((alignment - (bytes % alignment)) % alignment)
    pieces.push(content.subarray(0, bytes), padding)
    if (ending > 0) end = content.subarray(bytes)
    at += bytes + padding.byteLength
  }
  const directory: Directory = { version: directoryVersion, sections: entries }
  const text = new TextEncoder().encode(JSON.stringify(directory))
  const tail = Uint32Array.of(text.byteLength, checksum(text), 0, magic)
  return concatBytes([...pieces, text, new Uint8Array(tail.buffer), end])
}

const inOrder = (sections: readonly Section[]): readonly Section[] =>
  sections.toSorted((a, b) => sectionNames.indexOf(a.name) - sectionNames.indexOf(b.name))

/** Bytes of the footer at the end of a Parquet file; 0 if these bytes do not end like one. */
function parquetFooterBytes(bytes: Uint8Array): number {
  if (bytes.byteLength < parquetTailBytes) return 0
  const [length, ending] = wordsAt(bytes, bytes.byteLength - parquetTailBytes)
  return ending === parquetMagic && length !== undefined ? length + parquetTailBytes : 0
}

/**
 * Finds the directory in the last bytes of an index file.
 *
 * @returns how many of the last bytes it takes to find it, if these are too few; undefined if this
 *   is no index file, or it is damaged
 */
export function directoryIn(end: Uint8Array): Directory | number | undefined {
  const before = end.byteLength - parquetFooterBytes(end)
  if (before < tailBytes) return end.byteLength - before + tailBytes
  const [length = 0, stated, , found] = wordsAt(end, before - tailBytes)
  if (found !== magic) return undefined
  const from = before - tailBytes - length
  if (from < 0) return end.byteLength - from
  const text = end.subarray(from, from + length)
  if (checksum(text) !== stated) return undefined
  const directory: Directory = JSON.parse(new TextDecoder().decode(text))
  return directory.version === directoryVersion ? directory : undefined
}

/** Words at a position that need not be a multiple of four. */
function wordsAt(bytes: Uint8Array, at: number): readonly number[] {
  const words = new Uint32Array(bytes.slice(at).buffer, 0, Math.min(4, Math.floor((bytes.byteLength - at) / 4)))
  return Array.from(words.keys(), (index) => wordAt(words, index))
}
