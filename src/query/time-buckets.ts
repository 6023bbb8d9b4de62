import type { Parameters } from './sql/parameters.ts'

/** How time is cut: whole `granularitySeconds` of the local time of `timezone`, counted from 1970. */
export interface Buckets {
  readonly granularitySeconds: number
  readonly timezone: string
}

/** SQL of the start of the bucket that a time (TIMESTAMPTZ) lies in. */
export function bucketSql(time: string, buckets: Buckets, parameters: Parameters): string {
  const zone = parameters.bind(buckets.timezone)
  return `timezone(${zone}, ${localBucketSql(`timezone(${zone}, ${time})`, buckets, parameters)})`
}

/** SELECT of the starts (`bucket`) of all buckets that `start` ≤ time < `end` touches, in microseconds. */
export function bucketSeriesSql(
  range: { start: number; end: number },
  buckets: Buckets,
  parameters: Parameters,
): string {
  if (range.start >= range.end) return 'SELECT NULL::TIMESTAMPTZ AS bucket WHERE false'
  const zone = parameters.bind(buckets.timezone)
  const local = (micros: number) =>
    localBucketSql(`timezone(${zone}, ${parameters.bind({ micros })})`, buckets, parameters)
  const step = `to_seconds(${parameters.bind(buckets.granularitySeconds)})`
  // Local hours that a clock change skips or repeats fall together.
  return `SELECT DISTINCT timezone(${zone}, b) AS bucket
    FROM (SELECT unnest(generate_series(${local(range.start)}, ${local(range.end - 1)}, ${step})) AS b)`
}

function localBucketSql(local: string, { granularitySeconds }: Buckets, parameters: Parameters): string {
  const size = `${parameters.bind(BigInt(granularitySeconds * 1e6))}::BIGINT`
  // Rounded down also before 1970, where integer division would round towards zero.
  return `make_timestamp((epoch_us(${local}) - ((epoch_us(${local}) % ${size} + ${size}) % ${size}))::BIGINT)`
}
