import type { AsOf } from '../engine/delta/state-as-of.ts'
import { ConfigError } from '../runtime/config/config-error.ts'

/**
 * What `--as-of` names: a version number or a time.
 *
 * @throws ConfigError for anything else
 */
export function parseAsOf(text: string, nowMs: number): AsOf {
  if (/^\d{1,15}$/.test(text)) return { version: Number(text) }
  const timeMs = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(withOffset(text)) : Number.NaN
  if (Number.isNaN(timeMs))
    throw new ConfigError(`--as-of "${text}": use a version number or a time such as 2026-01-31T12:00:00Z`)
  if (timeMs > nowMs) throw new ConfigError(`--as-of "${text}": that time is in the future`)
  return { timeMs }
}

/** A time without an offset is UTC, as in the API. */
const withOffset = (text: string): string => {
  const time = text.includes('T') || text.includes(' ') ? text.replace(' ', 'T') : `${text}T00:00:00`
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`
}
