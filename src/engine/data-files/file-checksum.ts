import { releaseBytes } from '../../lib/bytes.ts'
import { checksum } from '../../runtime/platform/files/bytes.ts'
import { readChunks } from '../../runtime/platform/files/file-chunks.ts'
import { findFileBytes } from '../../runtime/platform/files/files.ts'
import type { Add } from '../delta/actions.ts'

/**
 * Tag of an added file: `<bytes per chunk>:<CRC-32 of each chunk, eight hexadecimal digits>`,
 * CRC-32 as in zlib. Parquet has page checksums, but DuckDB 1.5 neither writes nor reads them.
 */
export const checksumTag = 'tracelake.crc32'

const chunkBytesMin = 4096
/** Keeps the tag of the largest file about as small as its statistics. */
const chunksMax = 256

/**
 * Computes the checksum tag of a file.
 * @throws Error if it cannot be read
 */
export async function computeChecksumTag(file: string, bytes: number): Promise<string> {
  let chunkBytes = chunkBytesMin
  while (chunkBytes * chunksMax < bytes) chunkBytes *= 2
  return `${chunkBytes}:${(await chunkChecksums(file, bytes, chunkBytes)).join('')}`
}

/** The byte range [from, to) of a file. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The ranges of a file that do not match its checksum tag; undefined if it has no tag.
 * @throws Error if it cannot be read
 */
export async function findChangedRanges(file: string, add: Add['add']): Promise<ByteRange[] | undefined> {
  const tag = parseTag(add)
  if (tag === undefined) return undefined
  const { chunkBytes, sums: stated } = tag
  const actual = await chunkChecksums(file, add.size, chunkBytes)
  return actual.flatMap((sum, index) => {
    const from = index * chunkBytes
    return sum === stated[index] ? [] : [{ from, to: Math.min(add.size, from + chunkBytes) }]
  })
}

export const hasChecksum = ({ tags }: Add['add']): boolean => tags?.[checksumTag] !== undefined

/**
 * Why a file is not what was written; undefined if it is intact or has no checksum. Reads the whole
 * file.
 */
export async function findContentFault(file: string, add: Add['add']): Promise<string | undefined> {
  try {
    const outside = await findSizeFault(file, add)
    if (outside !== undefined) return outside
    const changed = await findChangedRanges(file, add)
    const [first] = changed ?? []
    return first && describeChange(first)
  } catch (cause) {
    return `cannot be read: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`
  }
}

/**
 * The same from the size and the last chunk alone. That chunk holds the footer, without which the
 * file is unreadable.
 */
export async function findTailFault(file: string, add: Add['add']): Promise<string | undefined> {
  const outside = await findSizeFault(file, add)
  if (outside !== undefined) return outside
  const tag = parseTag(add)
  if (tag === undefined || tag.sums.length === 0) return undefined
  const from = (tag.sums.length - 1) * tag.chunkBytes
  let sum = 0
  for await (const piece of readChunks(file, from, add.size)) sum = checksum(piece, sum)
  return hexadecimal(sum) === tag.sums.at(-1) ? undefined : describeChange({ from, to: add.size })
}

async function findSizeFault(file: string, { size }: Add['add']): Promise<string | undefined> {
  const bytes = await findFileBytes(file)
  if (bytes === undefined) return 'is missing'
  return bytes === size ? undefined : `has ${bytes} bytes, but the Delta log says ${size}`
}

const describeChange = ({ from, to }: ByteRange): string => `bytes ${from} to ${to} do not match their checksum`

function parseTag({ tags }: Add['add']): { chunkBytes: number; sums: readonly string[] } | undefined {
  const [, chunkBytes, sums] = /^(\d+):((?:[0-9a-f]{8})*)$/.exec(tags?.[checksumTag] ?? '') ?? []
  return sums === undefined ? undefined : { chunkBytes: Number(chunkBytes), sums: sums.match(/.{8}/g) ?? [] }
}

async function chunkChecksums(file: string, bytes: number, chunkBytes: number): Promise<string[]> {
  const sums: string[] = []
  let sum = 0
  let inChunk = 0
  for await (const piece of readChunks(file, 0, bytes)) {
    for (let at = 0; at < piece.byteLength; ) {
      const part = piece.subarray(at, at + chunkBytes - inChunk)
      sum = checksum(part, sum)
      inChunk += part.byteLength
      at += part.byteLength
      if (inChunk === chunkBytes) {
        sums.push(hexadecimal(sum))
        sum = 0
        inChunk = 0
      }
    }
    releaseBytes(piece)
  }
  if (inChunk > 0) sums.push(hexadecimal(sum))
  return sums
}

const hexadecimal = (sum: number): string => sum.toString(16).padStart(8, '0')
