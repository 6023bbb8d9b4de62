import { parseBody } from '../../formats/body/body-value.ts'
import type { NumberPlace } from '../../formats/wire/marked-numbers.ts'
import { concatBytes, MiB } from '../../lib/bytes.ts'
import { DomainError, ValidationError } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { inflate } from '../../runtime/http/inflate.ts'
import { bodyChunks, wholeBody } from '../../runtime/platform/files/body-chunks.ts'
import type { BodyRoom } from './body-room.ts'

export interface BodyOptions {
  readonly bytesMax: number
  readonly room: BodyRoom
}

export interface JsonBodyOptions extends BodyOptions {
  /** Place of the body, by what its schema says. */
  readonly place: NumberPlace
  /** Called with a body that is so large that parsing it yields to other requests. */
  readonly onLong: () => void
  /**
   * Called with the project named in a large body, before the body is parsed; throws if the caller
   * has no access.
   */
  readonly checkProject: (projectId: string) => void
  /**
   * Called with the body before it is parsed. Returns whether the body has been read by other
   * means, which makes its value here null.
   */
  readonly readOtherwise?: ((bytes: Uint8Array, room: BodyRoom) => Promise<boolean>) | undefined
}

/**
 * The JSON value of a request body. Checks size before and after decompression, syntax, depth and
 * estimated memory. Yields to other requests while reading a large body.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled, Overloaded; anything
 *   that `checkProject` throws
 * @throws ValidationError if the body is not JSON
 */
export async function readJsonBody(request: Request, options: JsonBodyOptions): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && !/^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError('UnsupportedMediaType', `Unsupported content type "${type}"; use application/json`)
  }
  const bytes = await readBodyBytes(request, options)
  // Some operations have no body or only optional members; all others will report their members as
  // missing.
  if (bytes.byteLength === 0) return {}
  if (await options.readOtherwise?.(bytes, options.room)) return null
  try {
    return await parse(bytes, options)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ValidationError([{ loc: ['body'], msg: `JSON decode error: ${cause.message}`, type: 'json_invalid' }])
  }
}

async function parse(bytes: Uint8Array, { place, room, onLong, checkProject }: JsonBodyOptions): Promise<unknown> {
  if (bytes.byteLength > requestLimits.quickBodyBytesMax) onLong()
  else if (bytes.byteLength > requestLimits.smallBodyBytesMax)
    await room.takeValue(bytes.byteLength * requestLimits.quickBodyGrowth)
  return await parseBody(bytes, {
    place,
    onOutlined: async ({ projectId, valueBytes }) => {
      if (projectId !== undefined) checkProject(projectId)
      await room.takeValue(valueBytes)
    },
  })
}

/**
 * The bytes of a request body, decompressed, with size checks before and after decompression.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType, RequestCancelled, Overloaded;
 *   InvalidRequest for corrupt data
 */
export async function readBodyBytes(request: Request, options: BodyOptions): Promise<Uint8Array> {
  const { bytesMax, room } = options
  const tooLarge = () =>
    new DomainError('RequestTooLarge', `The request body exceeds the limit of ${bytesMax / MiB} MiB`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > bytesMax) throw tooLarge()
  const bytes = await readBounded(request, declared, options, tooLarge).catch((cause: unknown) => {
    // Only the connection can fail here: the client has disconnected, which is not a server error.
    throw cause instanceof DomainError
      ? cause
      : new DomainError('RequestCancelled', 'The client disconnected', { cause })
  })
  const sentBytes = bytes.byteLength
  return await inflate(bytes, request.headers.get('content-encoding'), bytesMax, (size) =>
    room.growText(sentBytes + size),
  )
}

/** The raw bytes. Reading a body of undeclared length stops as soon as it exceeds the limit. */
async function readBounded(
  request: Request,
  declared: number,
  { bytesMax, room }: BodyOptions,
  tooLarge: () => DomainError,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (declared > 0 && declared <= requestLimits.quickBodyBytesMax) {
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
  return concatBytes(pieces)
}

/** Minimum pace of clients that send a body. */
export const bodyPace = { stallMs: requestLimits.bodyStallMs, kibibyteMs: requestLimits.bodyKibibyteMs }
