import { crc32 } from 'node:zlib'

/**
 * CRC-32 (ISO-HDLC, as in zlib and PNG) as an unsigned 32-bit number; continues from the checksum
 * `before`.
 */
export const checksum = (bytes: Uint8Array, before = 0): number => crc32(bytes, before)
