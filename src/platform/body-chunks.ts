import { DomainError } from '../errors.ts'

/** How long a client may take to send a body. */
export interface BodyPace {
  /** Longest time without a byte. */
  readonly stallMs: number
  /** A body that is not looked at until all of it has come has so much longer for each of its KiB. */
  readonly kibibyteMs: number
}

/**
 * The pieces of a request's body as they come. A slow client may go on as long as it sends something.
 *
 * @throws DomainError RequestTimeout where nothing came for too long; whatever the connection breaks off with
 */
export async function* bodyChunks(request: Request, { stallMs }: BodyPace): AsyncGenerator<Uint8Array> {
  if (request.body === null) return
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), stallMs)
      if (done) return
      yield value
    }
  } finally {
    // Whoever gives up in the middle wants no more; what is left of the body goes with the connection.
    reader.cancel().catch(() => {})
  }
}

/** The whole body of a request that says how long it is. @throws as `bodyChunks` */
export async function wholeBody(
  request: Request,
  bytes: number,
  { stallMs, kibibyteMs }: BodyPace,
): Promise<Uint8Array> {
  return new Uint8Array(await within(request.arrayBuffer(), stallMs + (bytes / 1024) * kibibyteMs))
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DomainError('RequestTimeout', 'Read the body: the client has stopped sending it')),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
