/** Whether `bytes` contain `part`. */
export const containsBytes = (bytes: Uint8Array, part: Uint8Array): boolean => asBuffer(bytes).includes(asBuffer(part))

export const areSameBytes = (a: Uint8Array, b: Uint8Array): boolean => asBuffer(a).equals(asBuffer(b))

/** The same memory. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength)
