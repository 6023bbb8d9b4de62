import { formatTime } from '../../lib/time.ts'
import type { Rule, RuleStatus } from './model/rules.ts'
import type { RuleProgress } from './rule-progress.ts'
import type { StoredRule } from './stored-rule.ts'

/** A rule as the API shows it. */
export const ruleOf = (rule: StoredRule, progress: RuleProgress): Rule => ({
  id: rule.id,
  project_id: rule.projectId,
  name: rule.name,
  filter: rule.filter,
  query: rule.query,
  sample_rate: rule.sample_rate,
  condition: rule.condition,
  action: rule.action,
  is_paused: rule.is_paused,
  created_at: formatTime(rule.createdAt),
  created_by: rule.createdBy,
  updated_at: formatTime(rule.updatedAt),
  status: statusOf(rule, progress),
})

function statusOf({ is_paused, condition }: StoredRule, progress: RuleProgress): RuleStatus {
  const hasAlert = condition !== null
  return {
    state: is_paused ? 'paused' : progress.error === null ? 'active' : 'failing',
    alert: hasAlert ? progress.alert : null,
    alert_since: timeOf(progress.alertSince),
    value: progress.value,
    evaluated_at: timeOf(progress.evaluatedAt),
    position: hasAlert ? null : formatTime(progress.position),
    handled: progress.handled,
    rejected: progress.rejected,
    handled_at: timeOf(progress.handledAt),
    error: progress.error,
    error_at: timeOf(progress.errorAt),
    retry_at: timeOf(progress.retryAt),
  }
}

const timeOf = (micros: number | null): string | null => (micros === null ? null : formatTime(micros))
