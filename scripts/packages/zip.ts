import { crc32, deflateRawSync } from 'node:zlib'
import type { ArchiveEntry } from './archive-entry.ts'

const utf8Names = 0x0800
const deflated = 8
/** 1980-01-01, the earliest date of the format: builds can be repeated. */
const date = 0x0021

/** A ZIP archive of files (PKWARE's APPNOTE 6.3), with their Unix modes. */
export function zip(entries: readonly ArchiveEntry[], level = 9): Uint8Array {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, mode, content } of entries) {
    if (!(content instanceof Uint8Array)) throw new Error(`Write a ZIP archive: ${path} is no file`)
    const name = Buffer.from(path)
    const data = deflateRawSync(content, { level })
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(utf8Names, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt16LE(date, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    pieces.push(bytesOf(0x04034b50), common, name, data)
    const trailer = Buffer.alloc(14)
    // Regular file, and its mode, in the upper half of the external attributes.
    trailer.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6)
    trailer.writeUInt32LE(offset, 10)
    // Version 2.0, made on Unix.
    directory.push(bytesOf(0x02014b50), Buffer.from([20, 3]), common, trailer, name)
    offset += 30 + name.length + data.length
  }
  const directoryBytes = directory.reduce((sum, piece) => sum + piece.length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directoryBytes, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...pieces, ...directory, bytesOf(0x06054b50), end])
}

function bytesOf(signature: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}
