import { DomainError, ValidationError } from '../errors.ts'
import { concatBytes, inflate } from '../http/inflate.ts'
import { limits, MiB } from '../limits.ts'
import { bodyChunks, wholeBody } from '../platform/body-chunks.ts'
import { parseQuickly } from '../wire/json-body.ts'
import { outlineJson } from '../wire/large-json/read-large-json.ts'
import type { BodyRoom } from './body-room.ts'

export interface BodyOptions {
  readonly bytesMax: number
  readonly room: BodyRoom
}

export interface JsonBodyOptions extends BodyOptions {
  /** Called with its size where the body is not small. */
  readonly onLarge: (bytes: number) => void
  /** Called with the project that a large body names, before its value is made; throws where the caller must not reach it. */
  readonly checkProject: (projectId: string) => void
}

/**
 * The JSON value of a request's body: size bounded before and after inflation, well-formed, not too deep, not more values than the memory is
 * for. A large body lets other requests have their turn while it is read.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled, Overloaded; whatever `checkProject` throws
 * @throws ValidationError where the body is not JSON
 */
export async function readJsonBody(request: Request, options: JsonBodyOptions): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UnsupportedMediaType', `Unsupported content type "${type}"; use application/json`)
  }
  const bytes = await readBodyBytes(request, options)
  // Some operations take no body, or one with optional members only; all others find their members missing.
  if (bytes.byteLength === 0) return {}
  try {
    return await parse(bytes, options)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ValidationError([{ loc: ['body'], msg: `JSON decode error: ${cause.message}`, type: 'json_invalid' }])
  }
}

async function parse(bytes: Uint8Array, { room, onLarge, checkProject }: JsonBodyOptions): Promise<unknown> {
  if (bytes.byteLength > limits.smallBodyBytesMax) onLarge(bytes.byteLength)
  if (bytes.byteLength <= limits.quickBodyBytesMax) {
    if (bytes.byteLength > limits.smallBodyBytesMax) await room.takeValue(bytes.byteLength * limits.quickBodyGrowth)
    const value = parseQuickly(new TextDecoder().decode(bytes), limits.jsonDepthMax, limits.quickExactNumbersMax)
    if (value !== undefined) return value
  }
  const outline = await outlineJson(bytes, {
    depthMax: limits.jsonDepthMax,
    runBytes: limits.jsonRunBytes,
    valueBytesMax: limits.bodyValueBytesMax,
    reorderedMembersMax: limits.reorderedMembersMax,
  })
  if (outline.projectId !== undefined) checkProject(outline.projectId)
  await room.takeValue(outline.valueBytes)
  return await outline.parse('body')
}

/**
 * The bytes of a request's body without its `Content-Encoding`, size bounded before and after inflation.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled, Overloaded; InvalidRequest for damaged data
 */
export async function readBodyBytes(request: Request, options: BodyOptions): Promise<Uint8Array> {
  const { bytesMax, room } = options
  const tooLarge = () =>
    new DomainError('RequestTooLarge', `The request body exceeds the limit of ${bytesMax / MiB} MiB`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > bytesMax) throw tooLarge()
  const bytes = await readBounded(request, declared, options, tooLarge).catch((cause: unknown) => {
    // Nothing but the connection can fail here: the client left, which is no failure of the server.
    throw cause instanceof DomainError
      ? cause
      : new DomainError('RequestCancelled', 'The client disconnected', { cause })
  })
  const sentBytes = bytes.byteLength
  return await inflate(bytes, request.headers.get('content-encoding'), bytesMax, (size) =>
    room.growText(sentBytes + size),
  )
}

/** The bytes as they were sent. A body of undeclared length is given up as soon as it outgrows the bound. */
async function readBounded(
  request: Request,
  declared: number,
  { bytesMax, room }: BodyOptions,
  tooLarge: () => DomainError,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (declared > 0 && declared <= limits.quickBodyBytesMax) {
    await room.growText(declared)
    return await wholeBody(request, declared, bodyPace)
  }
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bodyChunks(request, bodyPace)) {
    size += piece.byteLength
    if (size > bytesMax) throw tooLarge()
    await room.growText(size)
    pieces.push(piece)
  }
  return concatBytes(pieces, size)
}

/** How long clients may take. */
export const bodyPace = { stallMs: limits.bodyStallMs, kibibyteMs: limits.bodyKibibyteMs }
