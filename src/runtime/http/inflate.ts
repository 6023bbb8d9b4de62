import type { Duplex } from 'node:stream'
import { createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { concatBytes, MiB } from '../../lib/bytes.ts'
import { DomainError, quoted } from '../../lib/errors.ts'

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  zstd: createZstdDecompress,
}

/**
 * The decoder for a `Content-Encoding` header; undefined if there is nothing to decode.
 *
 * @throws DomainError UnsupportedMediaType for an unknown encoding
 */
export function findDecoder(header: string | null): { encoding: string; stream: Duplex } | undefined {
  const encoding = header?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return undefined
  const decoder = decoders[encoding]
  if (decoder === undefined) {
    throw new DomainError(
      'UnsupportedMediaType',
      `Unsupported content encoding ${quoted(encoding, 100)}; use gzip, deflate or zstd`,
    )
  }
  return { encoding, stream: decoder() }
}

/** The body is not valid data of its `Content-Encoding`. */
export const notValid = (encoding: string, cause: unknown): DomainError =>
  new DomainError('InvalidRequest', `The request body is not valid ${encoding} data`, { cause })

/**
 * Decodes a `Content-Encoding` and stops as soon as the result exceeds `bytesMax`, so that a
 * compression bomb stays small.
 *
 * @param grow called with the number of bytes so far; may wait for memory, or throw to stop
 *   decoding
 * @throws DomainError UnsupportedMediaType for an unknown encoding, RequestTooLarge, InvalidRequest
 *   for corrupt data
 */
export async function inflate(
  bytes: Uint8Array,
  header: string | null,
  bytesMax: number,
  grow: (bytes: number) => void | Promise<void> = () => {},
): Promise<Uint8Array> {
  const decoder = findDecoder(header)
  if (decoder === undefined) return bytes
  const { encoding, stream } = decoder
  stream.end(bytes)
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    const decoded: AsyncIterable<Uint8Array> = stream
    for await (const piece of decoded) {
      size += piece.byteLength
      if (size > bytesMax) {
        throw new DomainError(
          'RequestTooLarge',
          `The decompressed request body exceeds the limit of ${bytesMax / MiB} MiB`,
        )
      }
      await grow(size)
      pieces.push(piece)
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause
    throw notValid(encoding, cause)
  }
  return concatBytes(pieces)
}
