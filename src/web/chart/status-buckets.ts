/** Calls of a stretch of time by how they went. */
export interface StatusBucket {
  readonly from: number
  readonly to: number
  readonly ok: number
  readonly inside: number
  readonly error: number
}

/** All calls of a bucket. */
export const totalOf = ({ ok, inside, error }: StatusBucket): number => ok + inside + error

/** The buckets of a span, added up. */
export function summed(buckets: readonly StatusBucket[], from: number, to: number): StatusBucket {
  const inside = buckets.filter((bucket) => bucket.to > from && bucket.from < to)
  const sum = (read: (bucket: StatusBucket) => number) => inside.reduce((total, bucket) => total + read(bucket), 0)
  return { from, to, ok: sum(({ ok }) => ok), inside: sum((bucket) => bucket.inside), error: sum(({ error }) => error) }
}
