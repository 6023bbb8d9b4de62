import { crc32 } from 'node:zlib'

/** CRC-32 (ISO-HDLC, the one of zlib and PNG) as an unsigned 32-bit number; goes on from the checksum of what stands `before`. */
export const checksum = (bytes: Uint8Array, before = 0): number => crc32(bytes, before)
