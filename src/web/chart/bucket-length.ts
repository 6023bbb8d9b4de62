const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Lengths of buckets that people count in, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
  ...[1, 2, 3, 7, 14, 30, 90, 180, 365].map((count) => count * day),
]

/** The shortest round length of buckets of which a span has at most `bucketsMax`. */
export const bucketLength = (spanMs: number, bucketsMax: number): number =>
  steps.find((step) => spanMs / step <= bucketsMax) ?? Math.ceil(spanMs / bucketsMax / day) * day
