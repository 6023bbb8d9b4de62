import { expect, test } from 'bun:test'
import { type FormOptions, readForm } from './multipart.ts'

const bytesMax = 1000
const options = (takeFile: FormOptions<number>['takeFile']): FormOptions<number> => ({
  fileMember: 'file',
  fileBytesMax: bytesMax,
  formBytesMax: 2 * bytesMax,
  fieldsMax: 4,
  fieldBytesMax: 100,
  pace: { stallMs: 10_000, kibibyteMs: 100 },
  takeFile,
})

async function count(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) bytes += piece.byteLength
  return bytes
}

function request(fileBytes: number, cutAt = Number.POSITIVE_INFINITY): Request {
  const head = 'Content-Disposition: form-data; name="file"; filename="x"'
  const form = `--b\r\n${head}\r\n\r\n${'x'.repeat(fileBytes)}\r\n--b--\r\n`
  return new Request('http://server/', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: form.slice(0, cutAt),
  })
}

test('a file is streamed as it arrives', async () => {
  const { file, fileName } = await readForm(request(bytesMax), options(count))
  expect([file, fileName]).toEqual([bytesMax, 'x'])
})

test('a truncated form is a client error', async () => {
  const reading = readForm(request(500, 300), options(count))
  await expect(reading).rejects.toMatchObject({ type: 'InvalidRequest' })
})

test('a file that is too large is rejected', async () => {
  const reading = readForm(request(bytesMax + 1), options(count))
  await expect(reading).rejects.toMatchObject({ type: 'RequestTooLarge' })
})

test('an error of the file consumer is passed on unchanged', async () => {
  const full = new Error('no space left on device')
  const takes = [
    async () => Promise.reject(full),
    async (pieces: AsyncIterable<Uint8Array>) => {
      await count(pieces)
      throw full
    },
  ]
  for (const take of takes) await expect(readForm(request(500), options(take))).rejects.toBe(full)
})
