/** A duration of so many milliseconds: `12 ms`, `3.4 s`, `5.6 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${rounded(ms / 1000)} s`
  return ms < 7_200_000 ? `${rounded(ms / 60_000)} min` : `${rounded(ms / 3_600_000)} h`
}

/** An amount of US dollars. Small ones keep two digits that matter. */
export function costText(dollars: number): string {
  if (dollars === 0) return '$0'
  return dollars >= 0.01 ? `$${dollars.toFixed(dollars >= 100 ? 0 : 2)}` : `$${dollars.toPrecision(2)}`
}

/** A count: `950`, `12.3k`, `4.5M`. */
export function countText(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1e6 ? `${rounded(count / 1000)}k` : `${rounded(count / 1e6)}M`
}

/** A share from 0 to 1 in percent. */
export const percentText = (share: number): string => `${rounded(100 * share)} %`

const rounded = (value: number): string => String(Number(value.toFixed(1)))

/** A number of a score: up to four digits after the point. */
export const scoreText = (value: number): string => String(Number(value.toFixed(4)))

/** A text on one line, of which at most `charsMax` characters are shown. */
export function oneLine(text: string, charsMax: number): string {
  const flat = text
    .slice(0, 4 * charsMax)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return flat.length > charsMax || text.length > 4 * charsMax ? `${flat.slice(0, charsMax)}…` : flat
}
