import { acceptLines } from './api-request.ts'
import { postRaw, type RequestOptions } from './client.ts'

/** Splits bytes into lines, in the batches in which they arrive; a line may span chunks. */
export async function* textLines(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const full = lines.filter(Boolean)
    if (full.length > 0) yield full
  }
  if (rest.trim() !== '') yield [rest]
}

/** The same, with each line parsed. */
export async function* lineBatches<Row>(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Row[]> {
  for await (const lines of textLines(bytes)) yield lines.map((line): Row => JSON.parse(line))
}

/**
 * Rows of a JSON Lines answer, in the batches in which they arrive, so that a table can show the
 * first ones while the rest is on its way.
 * @throws {Problem}
 */
export async function* postLines<Row>(
  path: string,
  body: unknown,
  options: RequestOptions & { readonly onHeaders?: (headers: Headers) => void } = {},
): AsyncGenerator<Row[], void, undefined> {
  const response = await postRaw(path, body, {
    ...options,
    headers: { ...acceptLines, ...options.headers },
  })
  options.onHeaders?.(response.headers)
  if (response.body) yield* lineBatches<Row>(response.body)
}

/** All rows of a JSON Lines answer. @throws {Problem} */
export async function postRows<Row>(path: string, body: unknown, options: RequestOptions = {}): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of postLines<Row>(path, body, options)) rows.push(...batch)
  return rows
}
