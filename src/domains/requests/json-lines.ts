import type { TSchema } from '@sinclair/typebox'
import { byteStream, encodeTexts, jsonLines, jsonMember, plainTexts } from '../../formats/wire/byte-stream.ts'

/**
 * Responses that are streamed while they are read from the store. See
 * docs/decisions/063-stalled-streams.md.
 */
export interface Streams {
  /**
   * Whether a stream should end if its client is not reading, because others are waiting for a
   * reader.
   */
  readonly shouldYield: () => boolean
}

const contentType = 'application/jsonl'

/** OpenAPI responses of an operation that returns JSON Lines. @param line schema of each line */
export const describeJsonLines = (description: string, line: TSchema) => ({
  200: { description: `${description}; the schema is that of one line`, content: { [contentType]: { schema: line } } },
})

/**
 * A response with one JSON text per line; an error before the first line keeps its own status.
 *
 * @param clientLeft aborts the search for the first line, if that takes long
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
 * A response with one object that contains a list of JSON texts of any length; errors as above. See
 * docs/decisions/079-response-memory.md.
 *
 * @param beside members written before the list
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

/**
 * A response with one JSON text in pieces that are produced without a store reader; errors as
 * above.
 */
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

/** A response that is JSON text already: reserializing it would change numbers such as `1.0`. */
export const jsonTextResponse = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'application/json' } })
