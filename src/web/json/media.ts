/** Picture, sound or document inside a JSON string. */
export interface EmbeddedMedia {
  readonly type: string
  readonly shownAs: 'image' | 'audio' | 'video' | 'file'
  /** First character of the base64 text. */
  readonly from: number
  /** Position after its last character. */
  readonly to: number
}

/** A stored file that a JSON string names by its digest. */
export interface StoredMedia {
  readonly digest: string
}

/** Shorter texts are not taken for media. */
const base64CharsMin = 64

// First bytes of each format; a dot matches any byte.
const magic: readonly (readonly [string, string])[] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF....WEBP', 'image/webp'],
  ['....ftypavif', 'image/avif'],
  ['....ftypavis', 'image/avif'],
  ['RIFF....WAVE', 'audio/wav'],
  ['ID3', 'audio/mpeg'],
  ['\xff\xfb', 'audio/mpeg'],
  ['\xff\xf3', 'audio/mpeg'],
  ['\xff\xf2', 'audio/mpeg'],
  ['\xff\xfa', 'audio/mpeg'],
  ['OggS', 'audio/ogg'],
  ['....ftyp', 'video/mp4'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['%PDF-', 'application/pdf'],
]

const startsLike = (head: string, bytes: string): boolean =>
  head.length >= bytes.length && [...bytes].every((byte, at) => byte === '.' || head[at] === byte)

const shownAs = (type: string): EmbeddedMedia['shownAs'] => {
  const family = type.slice(0, type.indexOf('/'))
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file'
}

/** The media a JSON string holds as base64 or as a data URL, recognized by the first bytes. */
export function embeddedMedia(text: string, start: number, end: number): EmbeddedMedia | undefined {
  if (end - start < base64CharsMin + 2) return undefined
  const head = text.slice(start + 1, start + 1 + 256)
  const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)?(?:;[a-z0-9-]+=[^;,]*)*;base64,/i.exec(head)
  const from = start + 1 + (dataUrl?.[0].length ?? 0)
  const sample = text.slice(from, from + base64CharsMin)
  if (!/^[A-Za-z0-9+/\\]+={0,2}$/.test(sample)) return undefined
  const plain = sample.replaceAll('\\/', '/')
  const type = mediaTypeOf(plain)
  if (type === undefined) return undefined
  return { type, shownAs: shownAs(type), from, to: end - 1 }
}

/** Media type of base64 text by its first bytes. */
export function mediaTypeOf(base64: string): string | undefined {
  const head = decodeHead(base64)
  return magic.find(([bytes]) => startsLike(head, bytes))?.[1]
}

/** The first bytes, one character each; empty if the text is not base64. */
function decodeHead(base64: string): string {
  try {
    return atob(base64.slice(0, 32))
  } catch {
    return ''
  }
}
