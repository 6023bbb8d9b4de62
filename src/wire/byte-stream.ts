import { limits } from '../limits.ts'

const ends = new WeakMap<ReadableStream, Promise<void>>()

/** When a stream that `byteStream` made is over, however; undefined for others. */
export const endOfByteStream = (stream: ReadableStream): Promise<void> | undefined => ends.get(stream)

/**
 * A response body over `pieces`. The first piece is fetched before this returns, so an error until then is thrown here and keeps its own
 * answer; an error later breaks the connection. Nothing is produced ahead of what the client takes. When the client leaves, `abort` is
 * called and the generator is ended.
 *
 * @param mustEnd asked again and again while the client takes nothing: whether others need what the pieces come from, so that the
 * connection is broken
 */
export async function byteStream(
  pieces: AsyncGenerator<Uint8Array>,
  abort: AbortController,
  mustEnd: () => boolean = () => false,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | undefined = await pieces.next()
  let stall: ReturnType<typeof setInterval> | undefined
  const over = Promise.withResolvers<void>()
  const end = async () => {
    clearInterval(stall)
    over.resolve()
    abort.abort()
    await pieces.return(undefined).catch(() => {
      // The interrupted query ends with an error of its own; the client is gone, so there is nobody to tell.
    })
  }
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stall = setInterval(() => {
      if (!mustEnd()) return
      controller.error(new Error('Send the answer: the client takes nothing, and others wait'))
      void end()
    }, limits.streamStallMs)
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
