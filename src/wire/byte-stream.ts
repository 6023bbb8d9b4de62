import { limits } from '../limits.ts'

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
  const end = async () => {
    clearInterval(stall)
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
  return new ReadableStream<Uint8Array>(
    {
      start: watch,
      async pull(controller) {
        clearInterval(stall)
        const piece = next ?? (await pieces.next())
        next = undefined
        if (piece.done) {
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
}
