import type { Socket } from 'bun'

export interface Answer {
  readonly status: number
  readonly bodyBytes: number
  /** From the first byte written to the first byte read. */
  readonly firstByteMs: number
  /** From the first byte written to the last byte read. */
  readonly totalMs: number
}

export interface ExchangeOptions {
  /** Average read rate, to simulate a slow client. */
  readonly bytesPerSecondMax?: number
  /** Called with the body bytes so far; returning true ends the exchange and the connection. */
  readonly until?: (bodyBytes: number) => boolean
}

interface Exchange extends ExchangeOptions {
  readonly reader: ResponseReader
  readonly startMs: number
  firstByteMs: number
  rest: Uint8Array
  done: (answer: Answer) => void
  failed: (cause: Error) => void
}

const pauseMs = 20

/**
 * A low-overhead keep-alive connection: requests are prebuilt, responses are counted but not
 * parsed.
 */
export class Connection implements Disposable {
  private socket!: Socket
  private current: Exchange | undefined

  static async open(url: string): Promise<Connection> {
    const connection = new Connection()
    const { hostname, port } = new URL(url)
    connection.socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_socket, piece) => connection.receive(piece),
        drain: () => connection.send(),
        close: () => connection.fail(new Error('the server closed the connection')),
        error: (_socket, cause) => connection.fail(cause),
      },
    })
    return connection
  }

  /** Sends one request and waits for the complete response. One at a time. */
  exchange(request: Uint8Array, options: ExchangeOptions = {}): Promise<Answer> {
    return new Promise((done, failed) => {
      const startMs = performance.now()
      this.current = { ...options, reader: new ResponseReader(), startMs, firstByteMs: -1, rest: request, done, failed }
      this.send()
    })
  }

  [Symbol.dispose](): void {
    this.current = undefined
    this.socket.end()
  }

  private send(): void {
    const { current } = this
    if (current === undefined || current.rest.byteLength === 0) return
    const written = this.socket.write(current.rest)
    if (written > 0) current.rest = current.rest.subarray(written)
  }

  private receive(piece: Uint8Array): void {
    const { current } = this
    if (current === undefined) return
    const elapsedMs = performance.now() - current.startMs
    if (current.firstByteMs < 0) current.firstByteMs = elapsedMs
    const isComplete = current.reader.push(piece)
    const { status, bodyBytes } = current.reader
    if (isComplete || current.until?.(bodyBytes)) {
      this.current = undefined
      if (!isComplete) this.socket.terminate()
      current.done({
        status,
        bodyBytes,
        firstByteMs: current.firstByteMs,
        totalMs: performance.now() - current.startMs,
      })
    } else if (current.bytesPerSecondMax !== undefined && bodyBytes > (current.bytesPerSecondMax * elapsedMs) / 1000) {
      this.socket.pause()
      setTimeout(() => this.socket.resume(), pauseMs)
    }
  }

  private fail(cause: Error): void {
    const { current } = this
    this.current = undefined
    current?.failed(new Error(`Exchange with the server: ${cause.message}`, { cause }))
  }
}

/** Reads an HTTP/1.1 response incrementally, only as far as needed for its status, size and end. */
class ResponseReader {
  status = 0
  /**
   * Bytes of the body, including the framing of chunked encoding (some bytes per half a megabyte).
   */
  bodyBytes = 0
  private head = ''
  private length: number | undefined
  private tail = ''

  /**
   * Consumes the next bytes; true when the response is complete.
   * @throws Error for a response without a length
   */
  push(piece: Uint8Array): boolean {
    return this.status === 0 ? this.pushHead(piece) : this.pushBody(piece)
  }

  private pushHead(piece: Uint8Array): boolean {
    // Latin-1 maps bytes to characters one to one, so positions in the text are byte positions.
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    const before = this.head.length
    this.head += before === 0 && text.length > 8192 ? text.slice(0, 8192) : text
    const end = this.head.indexOf('\r\n\r\n')
    if (end < 0) return false
    this.status = Number(this.head.slice(9, 12))
    const header = this.head.slice(0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(header)?.[1]
    if (length !== undefined) this.length = Number(length)
    else if (!/\r\ntransfer-encoding: chunked/i.test(header)) throw new Error(`Read a response: no length in ${header}`)
    return this.pushBody(piece.subarray(end + 4 - before))
  }

  private pushBody(piece: Uint8Array): boolean {
    this.bodyBytes += piece.byteLength
    if (this.length !== undefined) return this.bodyBytes >= this.length
    // JSON contains no raw carriage returns, so this is the last chunk.
    this.tail = (this.tail + String.fromCharCode(...piece.subarray(-5))).slice(-5)
    return this.tail === '0\r\n\r\n'
  }
}
