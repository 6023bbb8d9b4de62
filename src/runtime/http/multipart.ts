import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { MiB } from '../../lib/bytes.ts'
import { DomainError } from '../../lib/errors.ts'
import { type BodyPace, bodyChunks } from '../platform/files/body-chunks.ts'
import { findDecoder, notValid } from './inflate.ts'

export interface FormOptions<T> {
  /** Name of the file field; all other fields are text. */
  readonly fileMember: string
  readonly fileBytesMax: number
  /** Limit for the whole form after decoding its `Content-Encoding`. */
  readonly formBytesMax: number
  readonly fieldsMax: number
  /** Longer text fields are truncated. */
  readonly fieldBytesMax: number
  readonly pace: BodyPace
  /**
   * Consumes the file while it streams in. If the form fails later, the caller has to clean up what
   * this created.
   */
  readonly takeFile: (pieces: AsyncIterable<Uint8Array>) => Promise<T>
}

export interface Form<T> {
  readonly fields: ReadonlyMap<string, string>
  readonly file: T | undefined
  /** File name given by the client. Untrusted: never part of a path. */
  readonly fileName: string | undefined
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) as a stream; only the current piece is in memory.
 * See docs/decisions/028-uploads.md.
 *
 * @throws DomainError UnsupportedMediaType; InvalidRequest if the form is malformed or has two
 *   files; RequestTooLarge; RequestCancelled if the client disconnects; anything that `takeFile`
 *   throws
 */
export async function readForm<T>(request: Request, options: FormOptions<T>): Promise<Form<T>> {
  const parser = parserFor(request.headers.get('content-type'), options)
  const fields = new Map<string, string>()
  let stream: BusboyFileStream | undefined
  let fileName: string | undefined
  let file: Promise<T> | undefined
  /** Why the file could not be stored, if the form is not to blame. */
  let failure: Error | undefined
  /** The first failure: each failure destroys the other streams too. */
  let brokenBy: 'connection' | 'encoding' | 'form' | undefined
  const decoder = findDecoder(request.headers.get('content-encoding'))
  decoder?.stream.on('error', () => {
    brokenBy ??= 'encoding'
  })
  parser
    .on('field', (name, value) => fields.set(name, value))
    .on('filesLimit', () => parser.destroy(invalid('it contains more than one file')))
    .on('fieldsLimit', () => parser.destroy(invalid(`it has more than ${options.fieldsMax} fields`)))
    // The pipeline below and the file consumer handle errors themselves; a late one must not count
    // as unhandled.
    .on('error', () => {
      brokenBy ??= 'form'
    })
    .on('file', (_name, pieces, givenName) => {
      stream = pieces
      fileName = givenName
      pieces.on('error', () => {}).on('limit', () => parser.destroy(tooLarge(options.fileBytesMax)))
      file = options.takeFile(piecesOf(pieces))
      file.catch((cause: Error) => {
        if (!(cause instanceof FormBroken)) failure = cause
        parser.destroy(cause)
      })
    })
  let timeout: DomainError | undefined
  const body = Readable.from(bodyChunks(request, options.pace)).on('error', (cause) => {
    if (cause instanceof DomainError) timeout = cause
    brokenBy ??= 'connection'
  })
  try {
    if (decoder === undefined) await pipeline(body, parser)
    else await pipeline(body, decoder.stream, bounded(options), parser)
  } catch (cause) {
    // The file consumer is waiting for a piece that will never come.
    stream?.destroy(cause instanceof Error ? cause : new Error(String(cause)))
    await file?.catch(() => {})
    if (timeout !== undefined) throw timeout
    if (failure !== undefined) throw failure
    if (cause instanceof DomainError) throw cause
    if (brokenBy === 'connection') throw new DomainError('RequestCancelled', 'The client disconnected', { cause })
    throw brokenBy === 'encoding' && decoder
      ? notValid(decoder.encoding, cause)
      : invalid('it is truncated or malformed', cause)
  }
  return { fields, file: await file, fileName }
}

/** A small body can inflate to any size, also outside the file. */
const bounded = ({ formBytesMax, fileBytesMax }: FormOptions<unknown>) =>
  async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const piece of pieces) {
      bytes += piece.byteLength
      if (bytes > formBytesMax) throw tooLarge(fileBytesMax)
      yield piece
    }
  }

/** The file stream ended prematurely. */
class FormBroken extends Error {
  override readonly name = 'FormBroken'
}

async function* piecesOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    throw cause instanceof DomainError ? cause : new FormBroken('The uploaded file is truncated', { cause })
  }
}

function parserFor<T>(contentType: string | null, options: FormOptions<T>): BusboyInstance {
  if (contentType === null || !/^\s*multipart\/form-data\s*;.*boundary=/i.test(contentType)) {
    throw new DomainError(
      'UnsupportedMediaType',
      `Unsupported content type "${contentType?.slice(0, 100) ?? ''}"; use multipart/form-data with a boundary`,
    )
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name) => name === options.fileMember,
      limits: {
        files: 1,
        fields: options.fieldsMax,
        fieldSize: options.fieldBytesMax,
        fileSize: options.fileBytesMax,
        headerPairs: 32,
      },
    })
  } catch (cause) {
    throw invalid('its boundary is invalid', cause)
  }
}

const invalid = (what: string, cause?: unknown) =>
  new DomainError('InvalidRequest', `Invalid form data: ${what}`, { cause })

const tooLarge = (bytesMax: number) =>
  new DomainError('RequestTooLarge', `The file exceeds the limit of ${bytesMax / MiB} MiB`)
