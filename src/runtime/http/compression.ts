import { promisify } from 'node:util'
import {
  constants,
  createGzip,
  createZstdCompress,
  type Gzip,
  gzip,
  gzipSync,
  type ZstdCompress,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib'
import { responseLimits } from '../../lib/limits/responses.ts'

interface Choice {
  readonly name: string
  /** Preference from 0 (not acceptable) to 1. */
  readonly quality: number
}

/**
 * The choices of an `Accept` or `Accept-Encoding` header (RFC 9110, section 12.4.2), in lower case
 * and as listed. Malformed weights count as 1.
 */
export function acceptedChoices(header: string): Choice[] {
  return header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    if (name === '') return []
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return [{ name, quality: weight !== undefined && /^[01](?:\.\d{0,3})?$/.test(weight) ? Number(weight) : 1 }]
  })
}

/**
 * The best of `offered` content codings for an `Accept-Encoding` header; undefined to send the
 * content as it is. Among equally weighted codings the first offered one wins.
 */
export function chooseCoding<Coding extends string>(
  header: string | null,
  offered: readonly Coding[],
): Coding | undefined {
  if (header === null) return undefined
  const weights = new Map(acceptedChoices(header).map(({ name, quality }) => [name, quality]))
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  let best: Coding | undefined
  // Only an explicit weight of "identity" makes it preferable.
  let bestWeight = weights.get('identity') ?? 0
  for (const coding of offered) {
    const weight = weightOf(coding)
    if (weight > bestWeight || (weight === bestWeight && weight > 0 && best === undefined)) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

/** Content codings that answers are compressed with, best first. */
export const answerCodings = ['zstd', 'gzip'] as const
export type AnswerCoding = (typeof answerCodings)[number]

/** The fastest level of each: it takes a third of the time of the next ones for a tenth more. */
const gzipOptions = { level: 1 }
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Compresses a whole answer; a large one in a thread. */
export async function compressBytes(bytes: Uint8Array, coding: AnswerCoding): Promise<Uint8Array<ArrayBuffer>> {
  const isSmall = bytes.byteLength <= responseLimits.compressedAtOnceBytesMax
  if (coding === 'gzip') return isSmall ? gzipSync(bytes, gzipOptions) : await promisify(gzip)(bytes, gzipOptions)
  return isSmall ? zstdCompressSync(bytes, zstdOptions) : await promisify(zstdCompress)(bytes, zstdOptions)
}

/** Result of reading from a stream. */
interface Piece {
  readonly value?: Uint8Array | undefined
}

/** A reader of a stream. */
export interface PieceSource {
  read(): Promise<Piece & { readonly done: boolean }>
  cancel(reason?: unknown): Promise<void>
  readonly closed: Promise<unknown>
}

/**
 * Compresses a stream piece by piece: each piece is sent before the next one is requested, so that
 * the client gets it as early, and the source is read no faster, than without compression.
 *
 * @param early pieces that were read from the source already, or are being read
 */
export function compressStream(
  source: PieceSource,
  coding: AnswerCoding,
  early: (Piece | Promise<Piece>)[],
): ReadableStream<Uint8Array> {
  const compressor = new Compressor(coding)
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The source may fail while the client reads nothing.
        source.closed.catch((cause: unknown) => {
          compressor.close()
          controller.error(cause)
        })
      },
      async pull(controller) {
        const { value: piece } = await (early.shift() ?? source.read())
        if (piece !== undefined) return controller.enqueue(await compressor.add(piece))
        const tail = await compressor.finish()
        if (tail.byteLength > 0) controller.enqueue(tail)
        controller.close()
      },
      async cancel(reason) {
        compressor.close()
        await source.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

class Compressor {
  private readonly engine: Gzip | ZstdCompress
  private readonly flushKind: number
  private out: Uint8Array[] = []
  private fail: (cause: Error) => void = () => {}

  constructor(coding: AnswerCoding) {
    const isGzip = coding === 'gzip'
    this.engine = isGzip ? createGzip(gzipOptions) : createZstdCompress(zstdOptions)
    this.flushKind = isGzip ? constants.Z_SYNC_FLUSH : constants.ZSTD_e_flush
    this.engine.on('data', (bytes: Uint8Array) => this.out.push(bytes))
    this.engine.on('error', (cause) => this.fail(cause))
  }

  /** Everything the receiver needs to have `piece`. */
  add(piece: Uint8Array): Promise<Uint8Array> {
    return this.outputOf((done) => {
      this.engine.write(piece)
      this.engine.flush(this.flushKind, done)
    })
  }

  finish(): Promise<Uint8Array> {
    return this.outputOf((done) => {
      this.engine.once('end', done)
      this.engine.end()
    })
  }

  /** Frees its memory. */
  close(): void {
    this.engine.destroy()
  }

  private async outputOf(work: (done: () => void) => void): Promise<Uint8Array> {
    await new Promise<void>((resolve, reject) => {
      this.fail = reject
      work(resolve)
    })
    return Buffer.concat(this.out.splice(0))
  }
}
