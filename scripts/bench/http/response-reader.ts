/** Reads an HTTP/1.1 response incrementally, only as far as needed for its status, size and end. */
export class ResponseReader {
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
