/** Calls of a stretch of time by how they went. */
export interface StatusBucket {
  readonly from: number
  readonly to: number
  readonly ok: number
  readonly inside: number
  readonly running: number
  readonly error: number
}

/** All calls of a bucket. */
export const totalOf = ({ ok, inside, running, error }: StatusBucket): number => ok + inside + running + error

/** The buckets of a span, added up. */
export function summed(buckets: readonly StatusBucket[], from: number, to: number): StatusBucket {
  const inside = buckets.filter((bucket) => bucket.to > from && bucket.from < to)
  const sum = (read: (bucket: StatusBucket) => number) => inside.reduce((total, bucket) => total + read(bucket), 0)
  return {
    from,
    to,
    ok: sum(({ ok }) => ok),
    inside: sum((bucket) => bucket.inside),
    running: sum(({ running }) => running),
    error: sum(({ error }) => error),
  }
}
