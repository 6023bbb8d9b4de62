import { crc32 } from 'node:zlib'

/**
 * CRC-32 (ISO-HDLC, as in zlib and PNG) as an unsigned 32-bit number; continues from the checksum
 * `before`.
 */
export const checksum = (bytes: Uint8Array, before = 0): number => crc32(bytes, before)

/** Whether `bytes` contain `part`. */
export const containsBytes = (bytes: Uint8Array, part: Uint8Array): boolean => asBuffer(bytes).includes(asBuffer(part))

export const areSameBytes = (a: Uint8Array, b: Uint8Array): boolean => asBuffer(a).equals(asBuffer(b))

/** The same memory. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)
