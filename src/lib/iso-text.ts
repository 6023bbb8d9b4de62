let lastSecond = Number.NaN
let lastSecondText = ''

/** ISO 8601 in UTC with nanoseconds: microseconds since 1970, and `nanos` of the next one. */
export function isoText(micros: number, nanos = 0): string {
  const second = Math.floor(micros / 1_000_000)
  // Times that are written together fall into the same few seconds, and formatting dates is
  // expensive.
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19)
    lastSecond = second
  }
  return `${lastSecondText}.${String((micros - second * 1_000_000) * 1000 + nanos + 1_000_000_000).slice(1)}Z`
}
