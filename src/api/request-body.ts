import { DomainError, RequestInvalid } from '../errors.ts'
import { limits, MiB } from '../limits.ts'
import { concatBytes, inflate } from '../platform/inflate.ts'
import { parseJsonBody } from '../wire/json-body.ts'

/**
 * The JSON value of a request's body: size bounded before and after inflation, well-formed, not too deep.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled
 * @throws RequestInvalid where the body is not JSON
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UnsupportedMediaType', `Read the body: content type "${type}" is not application/json`)
  }
  const bytes = await readBodyBytes(request, bytesMax)
  // Some operations take no body, or one with optional members only; all others find their members missing.
  if (bytes.byteLength === 0) return {}
  const text = new TextDecoder().decode(bytes)
  try {
    return parseJsonBody(text, limits.jsonDepthMax)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new RequestInvalid([{ loc: ['body'], msg: `JSON decode error: ${cause.message}`, type: 'json_invalid' }])
  }
}

/**
 * The bytes of a request's body without its `Content-Encoding`, size bounded before and after inflation.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled; InvalidRequest for damaged data
 */
export async function readBodyBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const tooLarge = () => new DomainError('RequestTooLarge', `Read the body: it is larger than ${bytesMax / MiB} MiB`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > bytesMax) throw tooLarge()
  const bytes = await readBounded(request, declared, bytesMax, tooLarge).catch((cause: unknown) => {
    // Nothing but the connection can fail here: the client left, which is no failure of the server.
    throw cause instanceof DomainError ? cause : new DomainError('RequestCancelled', 'The client left', { cause })
  })
  return await inflate(bytes, request.headers.get('content-encoding'), bytesMax)
}

/** The bytes as they were sent. A body of undeclared length is given up as soon as it outgrows the bound. */
async function readBounded(
  request: Request,
  declared: number,
  bytesMax: number,
  tooLarge: () => DomainError,
): Promise<Uint8Array> {
  if (declared > 0 || request.body === null) return new Uint8Array(await request.arrayBuffer())
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of request.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    if (size > bytesMax) throw tooLarge()
    pieces.push(piece)
  }
  return concatBytes(pieces, size)
}
