import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { ForeignWriter } from './foreign-writer.ts'

/** A commit after which files of the table may have deletion vectors. */
export function allowDeletionVectors(other: ForeignWriter): void {
  const { metaData } = other.description
  other.commit(
    {
      protocol: {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ['deletionVectors'],
        writerFeatures: ['deletionVectors', 'appendOnly', 'invariants'],
      },
    },
    { metaData: { ...metaData, configuration: { 'delta.enableDeletionVectors': 'true' } } },
  )
}

/** The deletion vector of an add, in the Delta log. */
export function inlineVector(rows: readonly number[]) {
  const { bytes, ...size } = bitmapOf(rows)
  return { storageType: 'i', pathOrInlineDv: inBase85(bytes), ...size }
}

/** The same in a file of the table. */
export function vectorInFile(tableFolder: string, rows: readonly number[]) {
  const { bytes, ...size } = bitmapOf(rows)
  const bitmap = bytes.subarray(0, size.sizeInBytes)
  const [head, tail] = [Buffer.alloc(5, 1), Buffer.alloc(4)]
  head.writeUInt32BE(bitmap.length, 1)
  tail.writeUInt32BE(crc32(bitmap))
  const id = Buffer.from('d2c639aa8816431aaaf6d3fe2512ff61', 'hex')
  const path = join(tableFolder, 'deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin')
  writeFileSync(path, Buffer.concat([head, bitmap, tail]))
  return { storageType: 'u', pathOrInlineDv: inBase85(id), offset: 1, ...size }
}

/** A bitmap array with numbers below 65,536, padded to a multiple of four bytes. */
function bitmapOf(rows: readonly number[]) {
  const sizeInBytes = 32 + rows.length * 2
  const bytes = Buffer.alloc(Math.ceil(sizeInBytes / 4) * 4)
  bytes.writeUInt32LE(1681511377, 0)
  bytes.writeUInt32LE(1, 4)
  bytes.writeUInt32LE(12346, 16)
  bytes.writeUInt32LE(1, 20)
  bytes.writeUInt16LE(rows.length - 1, 26)
  bytes.writeUInt32LE(16, 28)
  for (const [at, row] of rows.entries()) bytes.writeUInt16LE(row, 32 + at * 2)
  return { bytes, sizeInBytes, cardinality: rows.length }
}

function inBase85(bytes: Buffer): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let value = bytes.readUInt32BE(at)
    let group = ''
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) group = digits[value % 85]! + group
    text += group
  }
  return text
}
