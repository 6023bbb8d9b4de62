import { telemetryLimits } from '../../../lib/limits/telemetry.ts'
import { parseJsonExactly } from '../../wire/json-body.ts'

/**
 * Parses a JSON text of any kind with numbers preserved; returns other values and texts unchanged.
 */
export function parseAnyJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseJsonExactly(value, telemetryLimits.attributeTextDepthMax)
  } catch {
    // Text that its writer did not encode.
    return value
  }
}

/**
 * Parses a text that contains a JSON object or array, with numbers and member order preserved;
 * returns other values, and text that is not JSON or nested too deeply, unchanged.
 */
export function parseJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length < 2) return value
  const first = value.charCodeAt(0)
  const last = value.charCodeAt(value.length - 1)
  const looksLikeJson = (first === 123 && (last === 125 || last <= 32)) || (first === 91 && (last === 93 || last <= 32))
  if (!looksLikeJson) return value
  try {
    return parseJsonExactly(value, telemetryLimits.attributeTextDepthMax)
  } catch {
    // Bracketed text that is not JSON stays text.
    return value
  }
}
