/**
 * A response body over `pieces`. The first piece is fetched before this returns, so an error until then is thrown here and keeps its own
 * answer; an error later breaks the connection. Nothing is produced ahead of what the client takes. When the client leaves, `abort` is
 * called and the generator is ended.
 */
export async function byteStream(
  pieces: AsyncGenerator<Uint8Array>,
  abort: AbortController,
): Promise<ReadableStream<Uint8Array>> {
  let next: IteratorResult<Uint8Array> | undefined = await pieces.next()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = next ?? (await pieces.next())
        next = undefined
        if (piece.done) controller.close()
        else controller.enqueue(piece.value)
      },
      async cancel() {
        abort.abort()
        await pieces.return(undefined).catch(() => {
          // The interrupted query ends with an error of its own; the client is gone, so there is nobody to tell.
        })
      },
    },
    { highWaterMark: 0 },
  )
}
