import { parseJsonExactly } from '../../formats/wire/json-body.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'

/** A JSON column; null if it is empty. */
export const jsonOf = (value: unknown): unknown =>
  typeof value === 'string' && value !== '' ? parseJsonExactly(value, telemetryLimits.otlpJsonDepthMax) : null

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** SQLAlchemy writes times in UTC without saying so. */
export function isoTime(value: unknown): string {
  const iso = String(value ?? '').replace(' ', 'T')
  return /(?:Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`
}
