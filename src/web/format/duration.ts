const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * A duration in milliseconds: `4 ms`, `909 ms`, `1.58 s`, `24.7 s`, `2 min 05 s`, `3 h 12 min`,
 * `2 d 4 h`.
 */
export function formatDuration(ms: number): string {
  const size = Math.max(0, ms)
  if (size === 0) return '0 ms'
  if (size < 1) return `${Number((size * 1_000).toPrecision(3))} µs`
  if (size < 10) return `${Number(size.toPrecision(2))} ms`
  if (size < 999.5) return `${Math.round(size)} ms`
  if (size < minuteMs - 50) return `${(size / secondMs).toPrecision(3)} s`
  if (size < hourMs - 500) return pair(size, minuteMs, 'min', secondMs, 's')
  if (size < dayMs - 30 * secondMs) return pair(size, hourMs, 'h', minuteMs, 'min')
  return pair(size, dayMs, 'd', hourMs, 'h')
}

/** A clock that counts up: `0:42`, `12:05`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(ms / secondMs)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function pair(ms: number, largeMs: number, large: string, smallMs: number, small: string): string {
  const smalls = Math.round(ms / smallMs)
  const ratio = largeMs / smallMs
  return `${Math.floor(smalls / ratio)} ${large} ${String(smalls % ratio).padStart(ratio === 60 ? 2 : 1, '0')} ${small}`
}
