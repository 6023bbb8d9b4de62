import { objectLimits } from '../../lib/limits/objects.ts'
import { Md5, md5 } from '../platform/crypto.ts'

/**
 * What the tag of an object is a digest of: S3 takes the MD5 of the bytes as the ETag, and for an
 * upload in parts (here those of `ObjectStore.putLarge`) the MD5 of the digests of the parts. With
 * some kinds of encryption the tag looks the same and is neither.
 */
export type TagForm = 'bytes' | 'parts'

/** @returns undefined for a tag that is no such digest */
export function tagForm(tag: string, bytes: number): TagForm | undefined {
  const [match, parts] = /^"[0-9a-f]{32}(?:-(\d+))?"$/.exec(tag) ?? []
  if (match === undefined) return undefined
  if (parts === undefined) return 'bytes'
  return Number(parts) === Math.ceil(bytes / objectLimits.partBytes) ? 'parts' : undefined
}

/** Computes the tag of an object from its bytes. */
export class TagDigest {
  private readonly form: TagForm
  private readonly digest = new Md5()
  private parts = 0

  constructor(form: TagForm) {
    this.form = form
  }

  /** @param piece the next `objectLimits.partBytes` bytes, or those that are left */
  update(piece: Uint8Array): void {
    this.digest.update(this.form === 'bytes' ? piece : md5(piece))
    this.parts++
  }

  /** Call it once. */
  tag(): string {
    return this.form === 'bytes' ? `"${this.digest.hex()}"` : `"${this.digest.hex()}-${this.parts}"`
  }
}
