import type { ObjectInfo } from './object-store.ts'
import { elementsOf, elementText } from './xml.ts'

/**
 * One page of ListObjectsV2.
 *
 * @param prefix is removed from the keys
 * @returns `next`: the token that continues the listing
 */
export function listedObjects(
  document: string,
  prefix: string,
): { readonly objects: ObjectInfo[]; readonly next: string | undefined } {
  const objects = elementsOf(document, 'Contents').map((entry) => ({
    name: keyOf(elementText(entry, 'Key') ?? '').slice(prefix.length),
    bytes: Number(elementText(entry, 'Size')),
    tag: elementText(entry, 'ETag') ?? '',
    modifiedMs: timeOf(elementText(entry, 'LastModified')),
  }))
  const isTruncated = elementText(document, 'IsTruncated') === 'true'
  return { objects, next: isTruncated ? elementText(document, 'NextContinuationToken') : undefined }
}

function timeOf(text = ''): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** Keys come as in URLs, which S3 calls `encoding-type=url`. */
const keyOf = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))
