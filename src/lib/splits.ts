/**
 * A part of the rows of a dataset: those whose bucket is at least `from` and below `to`. See
 * docs/decisions/242-splits.md.
 */
export interface Split {
  readonly from: number
  readonly to: number
}

const buckets = 100
const defaultPercents: Readonly<Record<string, number>> = { train: 80, test: 20 }

/**
 * Reads a split: `train` (80 %), `test` (20 %), or either with a percentage, such as `train:90`.
 * `train:90` and `test:10` share no row, because they count from opposite ends.
 *
 * @returns undefined for a text that is no split
 */
export function readSplit(text: string): Split | undefined {
  const [, name = '', stated] = /^(train|test)(?::(\d{1,3}))?$/i.exec(text.trim()) ?? []
  const percent = stated === undefined ? defaultPercents[name.toLowerCase()] : Number(stated)
  if (percent === undefined || percent < 1 || percent > buckets) return undefined
  return name.toLowerCase() === 'train' ? { from: 0, to: percent } : { from: buckets - percent, to: buckets }
}

/**
 * The bucket of a row, 0 to 99: FNV-1a (32 bits) of the digest's characters, modulo 100. It depends
 * on the content of the row only, so a row stays in its split in every version and dataset.
 */
export function splitBucket(rowDigest: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < rowDigest.length; at++) hash = Math.imul(hash ^ rowDigest.charCodeAt(at), 0x01000193)
  return (hash >>> 0) % buckets
}

/** Whether a row is in a split. */
export function isInSplit({ from, to }: Split, rowDigest: string): boolean {
  const bucket = splitBucket(rowDigest)
  return bucket >= from && bucket < to
}
