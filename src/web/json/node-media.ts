import type { JsonNode } from './json-node.ts'
import { type EmbeddedMedia, embeddedMedia, type StoredMedia } from './media.ts'
import type { Entries } from './scan.ts'

const digestCharsMax = 100

/** What a string holds or names: base64 of a known format, or the digest of a stored file. */
export function mediaOf(text: string, node: JsonNode, index: number): EmbeddedMedia | StoredMedia | undefined {
  const start = node.entries.start[index]!
  const end = node.entries.end[index]!
  const key = text.slice(node.entries.key[index], node.entries.keyEnd[index])
  const file = /\.(?:json|py|txt|pkl)"$/.test(key) ? undefined : storedFile(text, node, start, end)
  return file ?? embeddedMedia(text, start, end)
}

/** Custom values name their files by digest: `{_type, …, files: {name: digest}}`. */
function storedFile(text: string, { parent, index }: JsonNode, start: number, end: number): StoredMedia | undefined {
  if (!parent?.parent || end - start > digestCharsMax) return undefined
  const { entries } = parent
  if (text.slice(entries.key[index], entries.keyEnd[index]) !== '"files"') return undefined
  const digest = text.slice(start + 1, end - 1)
  return isCustom(text, entries) && /^[\w-]{20,}$/.test(digest) ? { digest } : undefined
}

/** Whether an object is the serialized form of a custom value. */
function isCustom(text: string, { length, key, keyEnd, start, end }: Entries): boolean {
  for (let index = 0; index < Math.min(length, 8); index++) {
    if (text.slice(key[index], keyEnd[index]) !== '"_type"') continue
    return /^"Custom\w*Type"$/.test(text.slice(start[index], Math.min(end[index]!, start[index]! + 100)))
  }
  return false
}
