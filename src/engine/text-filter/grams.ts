/** Grams are runs of four bytes of UTF-8, with ASCII letters in lower case, hashed to a bucket. */
const gramBytes = 4
const bucketBits = 18
export const buckets = 2 ** bucketBits

/** ASCII letters in lower case. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** Sets the bits of all grams of a text in a bitmap of `buckets` bits. */
export function addGrams(bits: Uint32Array, text: Uint8Array): void {
  let gram = 0
  const head = Math.min(gramBytes - 1, text.length)
  for (let i = 0; i < head; i++) gram = (gram << 8) | folded[text[i]!]!
  for (let i = head; i < text.length; i++) {
    gram = (gram << 8) | folded[text[i]!]!
    const bucket = bucketOf(gram)
    bits[bucket >>> 5]! |= 1 << (bucket & 31)
  }
}

/**
 * The buckets of the grams of a text that is searched for; none if it is too short. Only ASCII
 * letters have one other case, so without regard to case only grams of ASCII count.
 */
export function bucketsOf(text: string, ignoreCase: boolean): number[] {
  const bytes = new TextEncoder().encode(text)
  const found = new Set<number>()
  for (let from = 0; from + gramBytes <= bytes.length; from++) {
    const run = bytes.subarray(from, from + gramBytes)
    if (ignoreCase && run.some((byte) => byte >= 0x80)) continue
    found.add(bucketOf(run.reduce((gram, byte) => (gram << 8) | folded[byte]!, 0)))
  }
  return [...found]
}

/** Multiplicative hashing (Knuth). */
const bucketOf = (gram: number): number => Math.imul(gram, 0x9e3779b1) >>> (32 - bucketBits)

/**
 * Characters outside ASCII whose lower case is, or begins with, an ASCII letter: the Kelvin sign
 * and the dotted capital I.
 */
export const foldedIntoAscii: readonly Uint8Array[] = ['\u212a', '\u0130'].map((text) => new TextEncoder().encode(text))
