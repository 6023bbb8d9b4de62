import { endOfByteStream } from '../../formats/wire/byte-stream.ts'
import { responseLimits } from '../../lib/limits/responses.ts'
import {
  type AnswerCoding,
  answerCodings,
  chooseCoding,
  compressBytes,
  compressStream,
  type PieceSource,
} from '../../runtime/http/compression.ts'
import { delay } from '../../runtime/platform/event-loop.ts'

/** Text, but not server-sent events: proxies and clients expect them as they are. */
const compressible = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*json|jsonl|x-ndjson)\b)/

/**
 * The response in the content coding that the client prefers. Small responses, other types, parts
 * of files and everything that the client keeps by its tag stay as they are.
 */
export async function compressedAnswer(request: Request, response: Response): Promise<Response> {
  const { headers } = response
  if (!compressible.test(headers.get('content-type') ?? '')) return response
  if (headers.has('content-encoding') || headers.has('content-range') || headers.has('etag')) return response
  // The answer has been through this.
  if (headers.get('vary')?.includes('accept-encoding')) return response
  headers.append('vary', 'accept-encoding')
  const coding = chooseCoding(request.headers.get('accept-encoding'), answerCodings)
  if (coding === undefined || request.method === 'HEAD') return response
  // Not earlier: a response whose body was looked at is sent without its length on Deno.
  const { body } = response
  if (body === null) return response
  return endOfByteStream(body) === undefined
    ? await compressWhole(response, coding)
    : await compressPieces(response, body.getReader(), coding)
}

async function compressWhole(response: Response, coding: AnswerCoding): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.byteLength < responseLimits.compressedBytesMin) return answer(response, bytes)
  return answer(response, await compressBytes(bytes, coding), coding)
}

/** A stream that ends at once with little is a small response, too. */
async function compressPieces(response: Response, source: PieceSource, coding: AnswerCoding): Promise<Response> {
  const first = await source.read()
  if (first.value === undefined) return answer(response, new Uint8Array())
  if (first.value.byteLength >= responseLimits.compressedBytesMin)
    return answer(response, compressStream(source, coding, [first]), coding)
  const second = source.read()
  // Awaited further down, or by the stream.
  second.catch(() => {})
  const late = delay(responseLimits.compressedEndWaitMs).then(() => false)
  if (await Promise.race([second.then(({ done }) => done), late])) return answer(response, first.value)
  return answer(response, compressStream(source, coding, [first, second]), coding)
}

function answer({ status, headers }: Response, body: ReadableStream | Uint8Array, coding?: AnswerCoding): Response {
  if (coding !== undefined) {
    headers.set('content-encoding', coding)
    headers.delete('content-length')
  }
  return new Response(body, { status, headers })
}
