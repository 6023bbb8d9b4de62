import { describe, expect, test } from 'bun:test'
import { createGunzip, createZstdDecompress, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { answerCodings, compressBytes, compressStream } from './compression.ts'

const plainOf = { gzip: gunzipSync, zstd: zstdDecompressSync }

const text = (bytes: number) => new TextEncoder().encode('{"a":1,"b":"x"}'.repeat(bytes / 15 + 1).slice(0, bytes))

async function* pieces(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield text(size)
}

const streamOf = (source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source.return(undefined),
    },
    { highWaterMark: 0 },
  )

describe.each(answerCodings)('%s', (coding) => {
  test.each([0, 1, 1000, 100_000, 3_000_000])('%p bytes', async (size) => {
    const bytes = text(size)
    expect(plainOf[coding](await compressBytes(bytes, coding)).equals(bytes)).toBe(true)
  })

  test.each([[[]], [[1]], [[1, 2, 3]], [[600_000, 1, 600_000, 5]]])('a stream of pieces of %p bytes', async (sizes) => {
    const reader = streamOf(pieces(...sizes)).getReader()
    const out = await new Response(compressStream(reader, coding, [])).bytes()
    const whole = Buffer.concat(sizes.map(text))
    expect(plainOf[coding](out).equals(whole)).toBe(true)
    expect(out.byteLength).toBeLessThan(whole.byteLength + 64)
  })

  test('a piece can be read before the next one exists, and nothing is asked for ahead of the client', async () => {
    let produced = 0
    let isEnded = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          produced++
          yield text(100)
        }
      } finally {
        isEnded = true
      }
    }
    const engine = coding === 'gzip' ? createGunzip() : createZstdDecompress()
    let received = 0
    engine.on('data', (bytes: Uint8Array) => {
      received += bytes.byteLength
    })
    const reader = compressStream(streamOf(endless()).getReader(), coding, []).getReader()
    for (let count = 1; count <= 3; count++) {
      engine.write((await reader.read()).value)
      for (let turn = 0; turn < 30_000 && received < count * 100; turn++) await Bun.sleep(1)
      expect([received, produced]).toEqual([count * 100, count])
    }
    await reader.cancel()
    expect(isEnded).toBe(true)
  })

  test('a source that fails breaks the stream, even if the client reads nothing', async () => {
    let fail: (cause: Error) => void = () => {}
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(text(10))
        fail = (cause) => controller.error(cause)
      },
    })
    const reader = compressStream(source.getReader(), coding, []).getReader()
    await reader.read()
    fail(new Error('others wait'))
    await expect(reader.closed).rejects.toThrow('others wait')
  })
})
