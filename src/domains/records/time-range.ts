import { DomainError, quoted } from '../../lib/errors.ts'
import { operationLimits } from '../../lib/limits/operations.ts'
import { parseTime } from '../../lib/time.ts'

/**
 * Rejects responses so large that computing them would delay everyone else.
 *
 * @param statistics values per bucket
 * @param models number of models, each with these values
 * @throws DomainError InvalidRequest
 */
export function checkAnswerSize(buckets: number, statistics: number, models = 1): void {
  if (buckets * statistics * models <= operationLimits.statsValuesMax) return
  const perModel = models === 1 ? '' : ` for each of ${models} models`
  throw new DomainError(
    'InvalidRequest',
    `The response would have more than ${operationLimits.statsValuesMax} values: ${statistics} metrics in ` +
      `${buckets} buckets${perModel}; use a coarser granularity, a shorter range or fewer metrics`,
  )
}

/** JSON cannot represent values beyond a double, which the sum of very large numbers may be. */
export const finiteOrNull = (value: number | null): number | null =>
  value === null || Number.isFinite(value) ? value : null

/** A time range divided into buckets; microseconds, `end` exclusive. */
export interface TimeRange {
  readonly start: number
  readonly end: number
  readonly granularitySeconds: number
  /** IANA name. */
  readonly timezone: string
}

/** Upper bound for the number of buckets of a range, unless a clock change adds one. */
export const bucketsMax = ({ start, end, granularitySeconds }: TimeRange): number =>
  Math.ceil((end - start) / 1e6 / granularitySeconds) + 1

const hour = 3600
const day = 24 * hour

/** Default bucket size for a range. */
function fittingGranularity(seconds: number): number {
  if (seconds <= 2 * hour) return 300
  if (seconds <= 12 * hour) return hour
  if (seconds <= 3 * day) return 6 * hour
  return seconds <= 14 * day ? 12 * hour : day
}

/**
 * @throws DomainError InvalidRequest for a reversed or too long range, a bucket size below 1, or an
 *   unknown time zone
 */
export function parseTimeRange(
  requested: {
    readonly start: string | number
    readonly end?: string | number | null | undefined
    readonly granularity?: number | null | undefined
    readonly timezone?: string | null | undefined
  },
  nowMs: number,
): TimeRange {
  const start = parseTime(requested.start) ?? refuse('`start` is not a valid time')
  const end = requested.end == null ? nowMs * 1000 : (parseTime(requested.end) ?? refuse('`end` is not a valid time'))
  if (end < start) refuse('`end` is before `start`')
  const seconds = (end - start) / 1e6
  const granularity = requested.granularity ?? fittingGranularity(seconds)
  if (seconds > operationLimits.statsRangeDaysMax * day && (requested.granularity ?? 0) < day) {
    refuse(
      `The range must not exceed ${operationLimits.statsRangeDaysMax} days ` +
        `unless \`granularity\` is at least ${day} seconds`,
    )
  }
  if (granularity < 1) refuse(`\`granularity\` must be at least 1, not ${granularity}`)
  const isTooFine = seconds / granularity > operationLimits.statsBucketsMax
  return {
    start,
    end,
    granularitySeconds: isTooFine
      ? Math.floor(seconds / operationLimits.statsBucketsMax) + 1
      : Math.min(granularity, operationLimits.statsBucketSecondsMax),
    timezone: timezoneOf(requested.timezone ?? 'UTC'),
  }
}

function timezoneOf(name: string): string {
  if (name === 'UTC') return name
  const unknown = () => refuse(`Unknown time zone ${quoted(name)}`)
  // Runtimes accept offsets such as +05:30 as time zones, the database does not.
  if (/^[+-]/.test(name)) return unknown()
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return unknown()
  }
  // Keep the spelling of the request: runtimes normalize names differently (Asia/Calcutta,
  // Asia/Kolkata), and the database knows all of them.
  return name.toUpperCase() === 'UTC' ? 'UTC' : name
}

function refuse(what: string): never {
  throw new DomainError('InvalidRequest', what)
}
