import { expect, test } from 'bun:test'
import { responseLimits } from '../../lib/limits/responses.ts'
import { encodeArrow } from './arrow-stream.ts'
import { byteStream, encodeTexts, jsonLines, jsonMember } from './byte-stream.ts'
import { encodeSeparatedValues } from './separated-values.ts'

async function* batches(...lists: string[][]): AsyncGenerator<string[]> {
  yield* lists
}
const textOf = async (pieces: AsyncGenerator<Uint8Array>): Promise<string> =>
  new TextDecoder().decode(Buffer.concat(await Array.fromAsync(pieces)))

test('JSON Lines end every text with a line feed; no texts give no bytes', async () => {
  expect(await textOf(encodeTexts(batches(['1', '2'], [], ['3']), jsonLines))).toBe('1\n2\n3\n')
  expect(await textOf(encodeTexts(batches(), jsonLines))).toBe('')
})

test('an object of calls is valid JSON with zero, one or many calls', async () => {
  for (const texts of [[], ['1'], ['1', '2', '3']])
    expect(JSON.parse(await textOf(encodeTexts(batches(texts), jsonMember('calls'))))).toEqual({
      calls: texts.map(Number),
    })
})

test('chunks are about as large as the target, however the texts are batched', async () => {
  const text = JSON.stringify('ä'.repeat(10_000))
  const pieces = await Array.fromAsync(encodeTexts(batches(new Array(500).fill(text)), jsonMember('calls')))
  expect(pieces.length).toBeGreaterThan(5)
  for (const piece of pieces) expect(piece.byteLength).toBeLessThan(3 * responseLimits.streamChunkBytes)
  expect(JSON.parse(new TextDecoder().decode(Buffer.concat(pieces))).calls).toHaveLength(500)
})

const piece = new Uint8Array([1])

test('an error before the first chunk is thrown, a later one breaks the stream', async () => {
  async function* early(): AsyncGenerator<Uint8Array> {
    if (piece.length > 0) throw new Error('early')
    yield piece
  }
  async function* late(): AsyncGenerator<Uint8Array> {
    yield piece
    throw new Error('late')
  }
  await expect(byteStream(early(), new AbortController())).rejects.toThrow('early')
  await expect(new Response(await byteStream(late(), new AbortController())).bytes()).rejects.toThrow('late')
})

test.each(['CSV', 'Arrow', 'JSON', 'JSON Lines'])(
  'a source that fails at once fails before the first byte of %s',
  async (format) => {
    async function* failing<T>(one: T): AsyncGenerator<T> {
      if (piece.length > 0) throw new Error('early')
      yield one
    }
    const pieces = {
      CSV: () => encodeSeparatedValues(['a'], failing([[1]]), ','),
      Arrow: () => encodeArrow([{ name: 'a', type: 'integer' }], failing([[1]])),
      JSON: () => encodeTexts(failing(['1']), jsonMember('calls')),
      'JSON Lines': () => encodeTexts(failing(['1']), jsonLines),
    }[format]!()
    await expect(byteStream(pieces, new AbortController())).rejects.toThrow('early')
  },
)

test('nothing is produced ahead of demand, and cancelling ends the generator and aborts', async () => {
  let produced = 0
  let ended = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        produced++
        yield piece
      }
    } finally {
      ended = true
    }
  }
  const abort = new AbortController()
  const reader = (await byteStream(endless(), abort)).getReader()
  await reader.read()
  await reader.read()
  expect(produced).toBe(2)
  await reader.cancel()
  expect(ended).toBe(true)
  expect(abort.signal.aborted).toBe(true)
})

test('an empty source gives an empty body', async () => {
  async function* none(): AsyncGenerator<Uint8Array> {}
  expect(await new Response(await byteStream(none(), new AbortController())).bytes()).toHaveLength(0)
})
