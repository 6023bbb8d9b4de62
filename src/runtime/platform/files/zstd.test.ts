import { expect, test } from 'bun:test'
import { zstdCompressSync } from 'node:zlib'
import { decompressZstd } from './zstd.ts'

const contentOf = (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => (index * 7919) % 251)

test.each([1, 40, 255, 256, 300, 65_791, 65_792, 200_000])('a frame of %i bytes is read as a whole', async (bytes) => {
  const content = contentOf(bytes)
  expect(Buffer.from(await decompressZstd(zstdCompressSync(content), bytes)).equals(content)).toBe(true)
})

test('the beginning of a frame gives the beginning of its content', async () => {
  const content = contentOf(600_000)
  const frame = zstdCompressSync(content)
  const read = Buffer.from(await decompressZstd(frame.subarray(0, frame.byteLength - 8), 300_000))
  expect(read.byteLength).toBeGreaterThan(100_000)
  expect(read.equals(content.subarray(0, read.byteLength))).toBe(true)
})

test('a frame whose stated size is wrong is an error, and does not take that much memory', async () => {
  const frame = zstdCompressSync(contentOf(40))
  // The magic number, the descriptor, and the size in one byte.
  frame[5] = 200
  await expect(decompressZstd(frame, 200)).rejects.toThrow()
})
