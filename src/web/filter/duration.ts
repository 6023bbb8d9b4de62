import { isKeyOf } from '../../lib/present.ts'

const unitMs = { ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const

const written = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|min|m|h|d)?$/

/**
 * Milliseconds of `5s`, `1.5m`, `250ms`; a number alone is milliseconds. Undefined for other texts.
 */
export function readDuration(text: string): number | undefined {
  const [, amount, unit = 'ms'] = written.exec(text.trim().toLowerCase()) ?? []
  if (amount === undefined || !isKeyOf(unitMs, unit)) return undefined
  const ms = Number(amount) * unitMs[unit]
  return Math.round(ms * 1_000) / 1_000
}

/** The shortest text that `readDuration` reads as `ms`. */
export function writeDuration(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((name) => ms >= unitMs[name] && Number.isInteger(ms / unitMs[name]))
  if (unit) return `${ms / unitMs[unit]}${unit}`
  const seconds = `${ms / unitMs.s}s`
  return ms >= unitMs.s && readDuration(seconds) === ms ? seconds : `${ms}ms`
}
