import { postRaw, type RequestOptions } from './client.ts'

/** Splits bytes into lines and parses each; a line may span chunks. */
export async function* lineBatches<Row>(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Row[]> {
  let rest = ''
  for await (const text of bytes.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const rows = lines.filter(Boolean).map((line): Row => JSON.parse(line))
    if (rows.length > 0) yield rows
  }
  if (rest.trim() !== '') yield [JSON.parse(rest)]
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
    headers: { accept: 'application/jsonl', ...options.headers },
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
