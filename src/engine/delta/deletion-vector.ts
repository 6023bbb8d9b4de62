import { checksum } from '../../runtime/platform/files/checksum.ts'
import { readBytes } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import type { DeletionVector } from './actions.ts'
import { fromBase85 } from './base85.ts'
import { readRoaringArray } from './roaring.ts'

/**
 * Deletion vectors mark rows of a file as deleted. Source: Delta Transaction Log Protocol,
 * "Deletion Vectors", https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */

/** Distinguishes the vectors of one file; empty if there is none. */
export function vectorId(vector: DeletionVector | undefined): string {
  if (vector === undefined) return ''
  const { storageType, pathOrInlineDv, offset } = vector
  return `${storageType}${pathOrInlineDv}${offset === undefined ? '' : `@${offset}`}`
}

/**
 * The numbers of the deleted rows, from 0, ascending.
 *
 * @param tableFolder base folder of the vector's file name
 * @throws Error if it cannot be read
 */
export async function readDeletedRows(tableFolder: string, vector: DeletionVector): Promise<number[]> {
  const name = vectorId(vector)
  try {
    const rows = readRoaringArray(await bytesOf(tableFolder, vector))
    if (rows.length !== vector.cardinality)
      throw new Error(`it has ${rows.length} rows, but the Delta log says ${vector.cardinality}`)
    return rows
  } catch (cause) {
    throw new Error(`Cannot read deletion vector ${name} in ${tableFolder}: ${messageOf(cause)}`, { cause })
  }
}

/**
 * The file that holds a vector, relative to the table's folder; undefined if the vector is inline.
 */
export function vectorFileName({ storageType, pathOrInlineDv }: DeletionVector): string | undefined {
  if (storageType !== 'u') return undefined
  const prefix = pathOrInlineDv.slice(0, -20)
  const hex = [...fromBase85(pathOrInlineDv.slice(-20))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return joinPath(prefix, `deletion_vector_${id}.bin`)
}

async function bytesOf(tableFolder: string, vector: DeletionVector): Promise<Uint8Array> {
  const { storageType, pathOrInlineDv, sizeInBytes, offset = 1 } = vector
  if (storageType === 'i') return fromBase85(pathOrInlineDv).subarray(0, sizeInBytes)
  const file = vectorFileName(vector)
  if (file === undefined) throw new Error(`storage type "${storageType}" is not supported`)
  const bytes = await readBytes(joinPath(tableFolder, file))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 8 + sizeInBytes > bytes.byteLength) throw new Error(`${file} is truncated`)
  if (view.getInt32(offset) !== sizeInBytes) throw new Error(`${file} has an unexpected size at offset ${offset}`)
  const data = bytes.subarray(offset + 4, offset + 4 + sizeInBytes)
  if (view.getUint32(offset + 4 + sizeInBytes) !== checksum(data))
    throw new Error(`${file} does not match its checksum`)
  return data
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
