import { concatBytes } from '../../lib/bytes.ts'
import { ObjectStoreError } from './object-store.ts'
import type { S3Answer, S3Request } from './s3-request.ts'
import { elementText, xmlText } from './xml.ts'

export interface Part {
  /** From 1. */
  readonly number: number
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/** Pieces of any size as parts of the same size; only the last one is smaller. */
export async function* partsOf(pieces: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Part> {
  let number = 1
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    heldBytes += piece.length
    // One byte is kept, so that there is a last part.
    while (heldBytes > partBytes) {
      const whole = concatBytes(held)
      yield { number: number++, bytes: whole.subarray(0, partBytes), isLast: false }
      held = [whole.subarray(partBytes)]
      heldBytes -= partBytes
    }
  }
  yield { number, bytes: concatBytes(held), isLast: true }
}

interface Requests {
  request(request: S3Request): Promise<S3Answer>
}

/** An upload of an object in parts, which may be sent again. */
export class MultipartUpload {
  private readonly s3: Requests
  private readonly name: string
  private readonly id: string
  private readonly tags: string[] = []

  constructor(s3: Requests, name: string, id: string) {
    this.s3 = s3
    this.name = name
    this.id = id
  }

  /** @returns the id of the upload */
  static async begin(s3: Requests, name: string): Promise<string> {
    const answer = await s3.request({ method: 'POST', name, verb: 'begin the upload of', query: { uploads: '' } })
    const id = elementText(new TextDecoder().decode(answer.bytes), 'UploadId')
    if (id === undefined)
      throw new ObjectStoreError('unexpected', `Cannot upload ${name}: the store gives no upload id`)
    return id
  }

  async send({ number, bytes }: Part): Promise<void> {
    const query = { partNumber: String(number), uploadId: this.id }
    const answer = await this.s3.request({ method: 'PUT', name: this.name, verb: 'upload', query, body: bytes })
    this.tags[number - 1] = answer.headers.get('etag') ?? ''
  }

  /** @returns the tag of the object */
  async complete(): Promise<string> {
    const parts = this.tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${xmlText(tag)}</ETag></Part>`,
    )
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
    const query = { uploadId: this.id }
    const answer = await this.s3.request({ method: 'POST', name: this.name, verb: 'complete', query, body })
    // The status is sent before the work is done, so an error may be in the document only.
    const document = new TextDecoder().decode(answer.bytes)
    const tag = elementText(document, 'ETag')
    if (tag !== undefined) return tag
    const why = elementText(document, 'Message') ?? 'the store gives no ETag'
    throw new ObjectStoreError('slow', `Cannot complete the upload of ${this.name}: ${why}`)
  }

  async abort(): Promise<void> {
    await this.s3.request({ method: 'DELETE', name: this.name, verb: 'give up', query: { uploadId: this.id } })
  }
}
