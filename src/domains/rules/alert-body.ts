import { formatTime } from '../../lib/time.ts'
import type { Condition, Measurement } from './measure.ts'
import type { RuleEvent } from './rule-progress.ts'
import type { StoredRule } from './stored-rule.ts'

/**
 * Body of a webhook in the form of the Standard Webhooks specification
 * (https://www.standardwebhooks.com), with a `text` that chat programs show.
 */
export function alertBody(
  type: RuleEvent['type'],
  { id, name, projectId }: StoredRule,
  condition: Condition,
  { value, count }: Measurement,
  nowMicros: number,
): string {
  const { metric, comparison, threshold, window_seconds } = condition
  const what = {
    'rule.firing': `${metric} is ${shown(value)}, ${comparison} ${threshold}`,
    'rule.resolved': `resolved: ${metric} is ${shown(value)}, no longer ${comparison} ${threshold}`,
    'rule.test': `test: ${metric} ${comparison} ${threshold}`,
  }[type]
  return JSON.stringify({
    type,
    timestamp: formatTime(nowMicros),
    text: `${name} (${projectId}): ${what} over the last ${window_seconds} seconds`,
    data: {
      rule_id: id,
      rule_name: name,
      project_id: projectId,
      metric,
      value,
      comparison,
      threshold,
      window_seconds,
      count,
    },
  })
}

const shown = (value: number | null): string => (value === null ? 'unknown' : String(Number(value.toPrecision(6))))
