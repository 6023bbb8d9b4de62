/** A time in a zone as people write it: `2026-11-21 14:12`, with seconds where there are any. */
export function localText(time: number, zone: string): string {
  const { year, month, day, hour, minute, second } = partsIn(time, zone)
  const seconds = second === '00' ? '' : `:${second}`
  return `${year}-${month}-${day} ${hour}:${minute}${seconds}`
}

/**
 * Reads a local date or time in a zone; undefined if the text is neither. A date means its
 * midnight.
 */
export function timeOfLocal(text: string, zone: string): number | undefined {
  const found = /^\s*(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?\s*$/.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  if (new Date(asUtc).getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return undefined
  // The offset at that time, looked up once more because it may differ across a change of clocks.
  const first = asUtc - offsetAt(asUtc, zone)
  return asUtc - offsetAt(first, zone)
}

/** Milliseconds that the clocks of a zone are ahead of UTC. */
function offsetAt(time: number, zone: string): number {
  const { year, month, day, hour, minute, second } = partsIn(time, zone)
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return local - Math.floor(time / 1_000) * 1_000
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

const formats = new Map<string, Intl.DateTimeFormat>()

function partsIn(time: number, zone: string): Record<Part, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  const part = (name: Part): string => parts.get(name) ?? ''
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}
