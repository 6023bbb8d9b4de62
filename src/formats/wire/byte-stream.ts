import { readLimits } from '../../lib/limits/reads.ts'
import { responseLimits } from '../../lib/limits/responses.ts'

/** How texts are joined: JSON Lines, or elements of an array. */
export interface Framing {
  readonly before: string
  readonly between: string
  readonly after: string
  /** Appended to every text. */
  readonly end: string
}

export const jsonLines: Framing = { before: '', between: '', after: '', end: '\n' }
/**
 * An object whose last member is a list.
 * @param beside members before it
 */
export const jsonMember = (name: string, beside: Readonly<Record<string, unknown>> = {}): Framing => ({
  before: `${JSON.stringify({ ...beside, [name]: [] }).slice(0, -2)}`,
  between: ',',
  after: ']}',
  end: '',
})
/** Pieces of one text. */
export const plainTexts: Framing = { before: '', between: '', after: '', end: '' }

/** UTF-8 bytes of framed texts in pieces of about half a megabyte. */
export async function* encodeTexts(
  batches: AsyncGenerator<readonly string[]>,
  framing: Framing,
): AsyncGenerator<Uint8Array> {
  let text = framing.before
  let isFirst = true
  for await (const batch of batches) {
    for (const item of batch) {
      text += isFirst ? item + framing.end : framing.between + item + framing.end
      isFirst = false
      if (text.length >= responseLimits.streamChunkBytes) {
        yield encoder.encode(text)
        text = ''
      }
    }
  }
  text += framing.after
  if (text.length > 0) yield encoder.encode(text)
}

const encoder = new TextEncoder()

const ends = new WeakMap<ReadableStream, Promise<void>>()

/**
 * Resolves when a stream made by `byteStream` is over, for whatever reason; undefined for other
 * streams.
 */
export const endOfByteStream = (stream: ReadableStream): Promise<void> | undefined => ends.get(stream)

/**
 * A response body over `pieces`. The first piece is fetched before this returns, so an earlier
 * error is thrown here and gets its own response; a later one breaks the connection. Nothing is
 * produced ahead of consumption. When the client disconnects, `abort` is called and the generator
 * is ended.
 *
 * @param shouldYield polled while the client reads nothing: returns true if others need the
 *   resources behind the stream, which breaks the connection
 */
export async function byteStream(
  pieces: AsyncGenerator<Uint8Array>,
  abort: AbortController,
  shouldYield: () => boolean = () => false,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | undefined = await pieces.next()
  let stall: ReturnType<typeof setInterval> | undefined
  const over = Promise.withResolvers<void>()
  const end = async () => {
    clearInterval(stall)
    over.resolve()
    abort.abort()
    await pieces.return(undefined).catch(() => {
      // The interrupted query fails with an error of its own, but the client is gone.
    })
  }
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stall = setInterval(() => {
      if (!shouldYield()) return
      controller.error(new Error('Cannot send the response: the client reads nothing while others wait'))
      void end()
    }, readLimits.streamStallMs)
  }
  const nextPiece = async () => {
    try {
      return await pieces.next()
    } catch (cause) {
      over.resolve()
      throw cause
    }
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        clearInterval(stall)
        const piece = next ?? (await nextPiece())
        next = undefined
        if (piece.done) {
          over.resolve()
          controller.close()
          return
        }
        controller.enqueue(piece.value)
        watch(controller)
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  ends.set(stream, over.promise)
  return stream
}
