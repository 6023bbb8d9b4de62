import type { Sql } from '../model/sql.ts'
import { Parameters } from './sql/parameters.ts'

/** How time is cut: whole `granularitySeconds` of the local time of `timezone`, counted from 1970. */
export interface Buckets {
  readonly granularitySeconds: number
  readonly timezone: string
  /** How far the zone is ahead of UTC, where that is known to be the same from the first bucket to the last; seconds. */
  readonly offsetSeconds?: number | undefined
}

/** SQL of the start of the bucket that a time (TIMESTAMPTZ) lies in. */
export function bucketSql(time: string, buckets: Buckets, parameters: Parameters): string {
  const zone = parameters.bind(buckets.timezone)
  return `timezone(${zone}, ${localBucketSql(`timezone(${zone}, ${time})`, buckets, parameters)})`
}

/** The same in microseconds; with a known offset by arithmetic alone, which is five times as fast as asking for the local time of each. */
export function bucketMicrosSql(time: string, buckets: Buckets, parameters: Parameters): string {
  const { offsetSeconds } = buckets
  if (offsetSeconds === undefined) return `epoch_us(${bucketSql(time, buckets, parameters)})`
  const offset = `${parameters.bind(BigInt(offsetSeconds * 1e6))}::BIGINT`
  return `(${roundedDownSql(`(epoch_us(${time}) + ${offset})`, buckets, parameters)} - ${offset})`
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

/** Rows of how far the zone is ahead of UTC (seconds) at some moment of the buckets of a range, each once. No zone changes for less than an hour. */
export function compileZoneOffsets(range: { start: number; end: number }, buckets: Buckets): Sql {
  const parameters = new Parameters()
  const zone = parameters.bind(buckets.timezone)
  const from = parameters.bind({ micros: range.start - buckets.granularitySeconds * 1e6 })
  const to = parameters.bind({ micros: range.end })
  return {
    text: `SELECT DISTINCT (epoch_us(timezone(${zone}, t)) - epoch_us(t)) // 1000000
      FROM (SELECT unnest(list_append(generate_series(${from}, ${to}, INTERVAL 1 HOUR), ${to})) AS t)`,
    values: parameters.values,
  }
}

const localBucketSql = (local: string, buckets: Buckets, parameters: Parameters): string =>
  `make_timestamp(${roundedDownSql(`epoch_us(${local})`, buckets, parameters)}::BIGINT)`

function roundedDownSql(micros: string, { granularitySeconds }: Buckets, parameters: Parameters): string {
  const size = `${parameters.bind(BigInt(granularitySeconds * 1e6))}::BIGINT`
  // Rounded down also before 1970, where integer division would round towards zero.
  return `(${micros} - ((${micros} % ${size} + ${size}) % ${size}))`
}
