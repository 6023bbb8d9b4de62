import { expect, test } from 'bun:test'
import { lineBatches } from './lines.ts'

const bytesOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })

test('rows come in the batches in which they arrive, whole even if a line spans chunks', async () => {
  const seen: unknown[] = []
  for await (const batch of lineBatches(bytesOf('{"a":1}\n{"a"', ':2}\n{"a":3}\n', '\n', '{"a":4}'))) seen.push(batch)
  expect(seen).toEqual([[{ a: 1 }], [{ a: 2 }, { a: 3 }], [{ a: 4 }]])
})
