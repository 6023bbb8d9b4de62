import { expect, test } from 'bun:test'
import { DomainError } from '../../../lib/errors.ts'
import { bodyChunks, wholeBody } from './body-chunks.ts'

const pace = { stallMs: 50, kibibyteMs: 0 }

/** A request whose body arrives with a pause before each chunk; then it ends, or stalls. */
const requestOf = (chunks: readonly { afterMs: number; text: string }[], end: 'ends' | 'stalls') =>
  new Request('http://localhost/', {
    method: 'POST',
    body: new ReadableStream({
      async start(controller) {
        for (const { afterMs, text } of chunks) {
          await Bun.sleep(afterMs)
          controller.enqueue(new TextEncoder().encode(text))
        }
        if (end === 'ends') controller.close()
      },
    }),
  })

const textOf = async (request: Request, { stallMs }: { readonly stallMs: number } = pace) => {
  let text = ''
  for await (const chunk of bodyChunks(request, { ...pace, stallMs })) text += new TextDecoder().decode(chunk)
  return text
}

const timedOut = expect.objectContaining({ type: 'RequestTimeout' })

test('a slow client that keeps sending is read to the end', async () => {
  const chunks = Array.from({ length: 8 }, (_, i) => ({ afterMs: 300, text: String(i) }))
  // Longer than any single pause, and shorter than all of them together.
  expect(await textOf(requestOf(chunks, 'ends'), { stallMs: 2_000 })).toBe('01234567')
})

test('a client that stops sending is given up', async () => {
  await expect(textOf(requestOf([{ afterMs: 0, text: 'a' }], 'stalls'))).rejects.toEqual(timedOut)
  await expect(wholeBody(requestOf([{ afterMs: 0, text: 'a' }], 'stalls'), 2, pace)).rejects.toEqual(timedOut)
})

test('giving up is an error with a reason for the client', async () => {
  const error = await textOf(requestOf([], 'stalls')).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(DomainError)
  expect((error as DomainError).message).toBe('Cannot read the body: the client stopped sending it')
})
