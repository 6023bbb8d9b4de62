import { DomainError } from '../../../lib/errors.ts'

/** How long a client may take to send a body. */
export interface BodyPace {
  /** Maximum time without a byte. */
  readonly stallMs: number
  /** Extra time per KiB for a body that is read as a whole. */
  readonly kibibyteMs: number
}

/**
 * The chunks of a request body as they arrive. A slow client may continue as long as it sends
 * something.
 *
 * @throws DomainError RequestTimeout if nothing arrives for too long; the error of a broken
 *   connection
 */
export async function* bodyChunks(request: Request, { stallMs }: BodyPace): AsyncGenerator<Uint8Array> {
  if (request.body === null) return
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), stallMs)
      if (done) return
      yield value
    }
  } finally {
    // After giving up midway, the rest of the body is discarded with the connection.
    reader.cancel().catch(() => {})
  }
}

/**
 * The whole body of a request with a known length.
 * @throws like `bodyChunks`
 */
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
      () => reject(new DomainError('RequestTimeout', 'Cannot read the body: the client stopped sending it')),
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
