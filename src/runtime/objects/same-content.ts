import { objectLimits } from '../../lib/limits/objects.ts'
import { checksum } from '../platform/files/bytes.ts'
import { readChunks } from '../platform/files/file-chunks.ts'
import { findFileBytes } from '../platform/files/files.ts'
import type { ObjectInfo, ObjectStore } from './object-store.ts'
import { partsOf } from './s3-upload.ts'
import { TagDigest, tagForm } from './tag-digest.ts'

/**
 * Whether a file and an object have the same bytes. Reads the file, and the object only if its tag
 * is not the digest of these bytes: see `Downloads`.
 */
export async function isSameContent(store: ObjectStore, object: ObjectInfo, file: string): Promise<boolean> {
  const { name, bytes, tag } = object
  if ((await findFileBytes(file)) !== bytes) return false
  const form = tagForm(tag, bytes)
  const digest = form && new TagDigest(form)
  let sum = 0
  for await (const part of partsOf(readChunks(file, 0, bytes), objectLimits.partBytes)) {
    digest?.update(part.bytes)
    sum = checksum(part.bytes, sum)
  }
  return digest?.tag() === tag || sum === (await checksumOf(store, name, bytes))
}

async function checksumOf(store: ObjectStore, name: string, bytes: number): Promise<number> {
  let sum = 0
  for (let start = 0; start < bytes; start += objectLimits.partBytes) {
    const range = { start, length: Math.min(objectLimits.partBytes, bytes - start) }
    sum = checksum((await store.get(name, { range })).bytes, sum)
  }
  return sum
}
