import { cacheLimits, objectLimits } from '../../lib/limits/objects.ts'
import { checksum } from '../platform/files/bytes.ts'
import { writeChunks } from '../platform/files/file-chunks.ts'
import { removeFile } from '../platform/files/files.ts'
import { type ObjectStore, ObjectStoreError, type StoredObject, type Waitable } from './object-store.ts'
import { TagDigest, tagForm } from './tag-digest.ts'

/** An object that is known by name and size. */
export interface SizedObject {
  readonly name: string
  readonly bytes: number
}

export interface Download {
  /** CRC-32 of the bytes. */
  readonly checksum: number
  readonly tag: string
}

interface Attempt extends Download {
  /** The tag that the bytes would have; undefined if the tag is no digest. */
  readonly computed: string | undefined
}

/**
 * Writes objects that do not change into files, not durably, and verifies them: the size always,
 * and the bytes against the tag if that is an MD5, as it is with S3 unless the bucket is encrypted
 * with keys of KMS or of the client. Bytes that do not match are fetched a second time; if those
 * are the same, the tag states something else, and tags of this store are not looked at again.
 */
export class Downloads {
  private readonly store: ObjectStore
  private tagsAreDigests = true

  constructor(store: ObjectStore) {
    this.store = store
  }

  /**
   * @param file must not exist; it is not there if this fails
   * @throws ObjectStoreError if the object is not there, has another size, or arrives damaged
   */
  async fetch(object: SizedObject, file: string, options: Waitable = {}): Promise<Download> {
    try {
      const first = await this.attempt(object, file, options)
      if (first.computed === undefined || first.computed === first.tag) return first
      await removeFile(file)
      const second = await this.attempt(object, file, options)
      if (second.computed === second.tag) return second
      if (second.computed !== first.computed)
        throw this.damaged(object, 'its bytes do not match its ETag, and differ from one request to the next')
      this.tagsAreDigests = false
      return second
    } catch (cause) {
      await removeFile(file)
      throw cause
    }
  }

  private async attempt(object: SizedObject, file: string, options: Waitable): Promise<Attempt> {
    let sum = 0
    let tag: string | undefined
    let digest: TagDigest | undefined
    const pieces = async function* (this: Downloads) {
      for await (const piece of this.pieces(object, options)) {
        if (tag === undefined) {
          const form = this.tagsAreDigests ? tagForm(piece.tag, object.bytes) : undefined
          digest = form && new TagDigest(form)
        } else if (piece.tag !== tag) throw this.damaged(object, 'it was replaced while it was read')
        tag = piece.tag
        sum = checksum(piece.bytes, sum)
        digest?.update(piece.bytes)
        yield piece.bytes
      }
    }
    await writeChunks(file, pieces.call(this))
    return { checksum: sum, tag: tag ?? '', computed: digest?.tag() }
  }

  /** The object in order, of which a few pieces are fetched ahead. */
  private async *pieces(object: SizedObject, options: Waitable): AsyncGenerator<StoredObject> {
    const { partBytes } = objectLimits
    const ahead: Promise<StoredObject>[] = []
    let asked = 0
    do {
      while (ahead.length < cacheLimits.piecesAtOnce && (asked === 0 || asked < object.bytes)) {
        const piece = this.piece(object, asked, options)
        // A failure is reported where the piece is awaited, unless an earlier one has failed.
        piece.catch(() => {})
        ahead.push(piece)
        asked += partBytes
      }
      const next = ahead.shift()
      if (next !== undefined) yield await next
    } while (ahead.length > 0 || asked < object.bytes)
  }

  private async piece(object: SizedObject, start: number, { signal }: Waitable): Promise<StoredObject> {
    const length = Math.min(objectLimits.partBytes, object.bytes - start)
    const isWhole = length === object.bytes
    const found = await this.store.get(object.name, { signal, range: isWhole ? undefined : { start, length } })
    const what = isWhole ? 'it' : `its part from byte ${start} on`
    if (found.bytes.length !== length)
      throw this.damaged(object, `${what} has ${found.bytes.length} bytes, expected ${length}`)
    return found
  }

  private damaged({ name }: SizedObject, why: string): ObjectStoreError {
    return new ObjectStoreError('unexpected', `Cannot use ${this.store.place}/${name}: ${why}`)
  }
}
