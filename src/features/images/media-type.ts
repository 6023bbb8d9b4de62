/** Magic bytes of the image formats that providers return. */
const signatures: readonly {
  readonly type: string
  readonly extension: string
  readonly is: (bytes: Uint8Array) => boolean
}[] = [
  { type: 'image/png', extension: 'png', is: (bytes) => startsWith(bytes, 0, '\x89PNG') },
  { type: 'image/jpeg', extension: 'jpg', is: (bytes) => startsWith(bytes, 0, '\xff\xd8\xff') },
  {
    type: 'image/webp',
    extension: 'webp',
    is: (bytes) => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'),
  },
]

/** Media type and file extension of an image, by its magic bytes. */
export const imageTypeOf = (bytes: Uint8Array): { type: string; extension: string } =>
  signatures.find(({ is }) => is(bytes)) ?? { type: 'application/octet-stream', extension: 'bin' }

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  [...text].every((char, index) => bytes[at + index] === char.charCodeAt(0))
