import type { Streams } from '../services.ts'
import { byteStream } from '../wire/byte-stream.ts'
import { encodeTexts, jsonLines, jsonMember, plainTexts } from '../wire/text-stream.ts'

const contentType = 'application/jsonl'

/** What the description of an operation says of an answer with one JSON object a line. */
export const describeJsonLines = (description: string) => ({
  200: { description, content: { [contentType]: {} } },
})

/**
 * An answer with one JSON text a line; an error before the first line keeps its own status.
 *
 * @param clientLeft that nobody waits for the first line any more; for what takes long to find it
 */
export async function jsonLinesResponse(
  streams: Streams,
  lines: (signal: AbortSignal) => AsyncGenerator<readonly string[]>,
  clientLeft?: AbortSignal,
): Promise<Response> {
  const abort = abortedBy(clientLeft)
  const stream = await byteStream(encodeTexts(lines(abort.signal), jsonLines), abort, streams.shouldYield)
  return new Response(stream, { headers: { 'content-type': contentType } })
}

/**
 * An answer with one object that holds a list of JSON texts, however many; errors as above.
 *
 * @param beside members that stand before the list
 */
export async function jsonListResponse(
  streams: Streams,
  member: string,
  items: (signal: AbortSignal) => AsyncGenerator<readonly string[]>,
  {
    clientLeft,
    beside,
  }: { readonly clientLeft?: AbortSignal; readonly beside?: Readonly<Record<string, unknown>> } = {},
): Promise<Response> {
  const abort = abortedBy(clientLeft)
  const stream = await byteStream(
    encodeTexts(items(abort.signal), jsonMember(member, beside)),
    abort,
    streams.shouldYield,
  )
  return new Response(stream, { headers: { 'content-type': 'application/json' } })
}

/** An answer with one JSON text in pieces that are made without a reader of the store; errors as above. */
export async function jsonPiecesResponse(
  clientLeft: AbortSignal,
  pieces: (signal: AbortSignal) => AsyncGenerator<readonly string[]>,
): Promise<Response> {
  const abort = abortedBy(clientLeft)
  const stream = await byteStream(encodeTexts(pieces(abort.signal), plainTexts), abort)
  return new Response(stream, { headers: { 'content-type': 'application/json' } })
}

function abortedBy(clientLeft: AbortSignal | undefined): AbortController {
  const abort = new AbortController()
  if (clientLeft?.aborted) abort.abort()
  clientLeft?.addEventListener('abort', () => abort.abort(), { once: true })
  return abort
}

/** An answer that is JSON text already: parsing it and printing it again would change numbers such as `1.0`. */
export const jsonTextResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/json' } })
