import { sha256Hex } from '../../platform/crypto.ts'
import type { StoredRule } from '../../records/rules/stored-rule.ts'

/**
 * Whether a rule handles the calls of a trace. The same question always has the same answer, so a
 * restart changes nothing, and traces are handled as a whole.
 */
export function isSampled({ id, sample_rate }: Pick<StoredRule, 'id' | 'sample_rate'>, traceId: string): boolean {
  if (sample_rate >= 1) return true
  const share = Number.parseInt(sha256Hex(`${id} ${traceId}`).slice(0, 12), 16) / 2 ** 48
  return share < sample_rate
}
