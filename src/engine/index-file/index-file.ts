import { concatBytes } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { findFileBytes } from '../../runtime/platform/files/files.ts'
import type { ReadableFile } from '../../runtime/platform/files/random-access-file.ts'
import type { TableLayout } from '../layout.ts'
import { localFiles } from '../stored-files.ts'
import { type Directory, directoryIn, type SectionName } from './index-file-format.ts'

/** Where the bytes of a section are. */
export interface SectionPlace {
  readonly path: string
  /** Opens that file; undefined if it is gone. */
  readonly open: () => Promise<ReadableFile | undefined>
  readonly version: number
  /** First byte. */
  readonly at: number
  readonly bytes: number
  /** First byte, and number, of those that follow at the end of the file. */
  readonly endingAt: number
  readonly ending: number
  /** CRC-32 of all its bytes; undefined if the file does not state it. */
  readonly checksum: number | undefined
}

/** Sections by name, among them those of later versions. */
type Sections = ReadonlyMap<string, SectionPlace>

/** Enough for the directory and the footer of most rollups. */
const endBytes = 16 * 1024

/**
 * The sections of an index file.
 *
 * @returns undefined if the file is missing or damaged
 */
export async function findSections(path: string, files = localFiles): Promise<Sections | undefined> {
  const open = () => files.open(path)
  await using file = await open()
  if (file === undefined) return undefined
  const size = await file.bytes()
  let found: Directory | number | undefined = Math.min(endBytes, size)
  // The second attempt may learn how far away the directory begins.
  for (let attempt = 0; attempt < 3 && typeof found === 'number' && found <= size; attempt++)
    found = directoryIn(await file.read(size - found, found))
  if (found === undefined || typeof found === 'number') return undefined
  return new Map(found.sections.map((entry) => [entry.name, { ...entry, path, open, endingAt: size - entry.ending }]))
}

/**
 * Where a section about a data file is: in its index file, or in a file of its own, as earlier
 * versions wrote it.
 *
 * @returns undefined if there is none
 */
export async function findSection(
  layout: TableLayout,
  fileName: string,
  name: SectionName,
): Promise<SectionPlace | undefined> {
  const sections = await findSections(layout.index(fileName), layout.files)
  if (sections !== undefined) return sections.get(name)
  return name === 'hashes' ? undefined : await wholeFile(layout.earlierIndexes(fileName)[name])
}

/** A file of an earlier version as a section. */
export async function wholeFile(path: string): Promise<SectionPlace | undefined> {
  const bytes = await findFileBytes(path)
  return bytes === undefined
    ? undefined
    : {
        path,
        open: () => localFiles.open(path),
        version: 1,
        at: 0,
        bytes,
        endingAt: bytes,
        ending: 0,
        checksum: undefined,
      }
}

/** All bytes of a section; undefined if they are gone, or not those that were written. */
export async function readSection(place: SectionPlace): Promise<Uint8Array | undefined> {
  await using file = await place.open()
  if (file === undefined) return undefined
  const content = await file.read(place.at, place.bytes)
  const whole = place.ending === 0 ? content : concatBytes([content, await file.read(place.endingAt, place.ending)])
  const isWhole = whole.byteLength === place.bytes + place.ending
  return isWhole && (place.checksum ?? checksum(whole)) === checksum(whole) ? whole : undefined
}

/** Whether the data file needs no such section. */
export const isEmpty = ({ bytes, ending }: SectionPlace): boolean => bytes + ending === 0
