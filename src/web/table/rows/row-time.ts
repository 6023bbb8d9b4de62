import { formatDay, formatMinute, formatWhen, type Time } from '../../format/time.ts'

/** Time of a row: the clock today, day and minute before, the year where it is another one. */
export function formatRowTime(time: Time): string {
  const short = formatWhen(time)
  const year = /^\d+ \w+ (\d{4})$/.exec(short)?.[1]
  return year === undefined ? short : `${formatDay(time)} ’${year.slice(2)} ${formatMinute(time)}`
}
