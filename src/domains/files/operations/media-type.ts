/** A kind of content that browsers may show, told by its first bytes. */
interface Signature {
  readonly type: string
  /** Bytes (as Latin-1 text) at an offset; all must match. */
  readonly at: readonly (readonly [offset: number, text: string])[]
}

/** How many bytes `mediaTypeOf` needs. */
export const sniffedBytes = 64

/** Types that files are served with; anything else is just bytes. None of them can run scripts. */
const signatures: readonly Signature[] = [
  { type: 'image/png', at: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', at: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', at: [[0, 'GIF87a']] },
  { type: 'image/gif', at: [[0, 'GIF89a']] },
  {
    type: 'image/webp',
    at: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  {
    type: 'audio/wav',
    at: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  ...['avif', 'avis'].map((brand) => ofBrand('image/avif', brand)),
  ...['M4A ', 'M4B '].map((brand) => ofBrand('audio/mp4', brand)),
  ...['isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V '].map((brand) =>
    ofBrand('video/mp4', brand),
  ),
  { type: 'audio/mpeg', at: [[0, 'ID3']] },
  // MPEG 1 and 2, layer III, with and without a checksum.
  ...['\xfb', '\xfa', '\xf3', '\xf2'].map((second): Signature => ({ type: 'audio/mpeg', at: [[0, `\xff${second}`]] })),
  { type: 'audio/ogg', at: [[0, 'OggS']] },
  { type: 'application/pdf', at: [[0, '%PDF-']] },
]

function ofBrand(type: string, brand: string): Signature {
  return {
    type,
    at: [
      [4, 'ftyp'],
      [8, brand],
    ],
  }
}

/** The type of a content by its first bytes; undefined unless it is in the list. */
export function mediaTypeOf(start: Uint8Array): string | undefined {
  const text = Array.from(start.subarray(0, sniffedBytes), (byte) => String.fromCharCode(byte)).join('')
  // The type of a Matroska file stands somewhere in its header.
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'video/webm' : undefined
  return signatures.find(({ at }) => at.every(([offset, part]) => text.startsWith(part, offset)))?.type
}
