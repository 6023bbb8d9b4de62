/**
 * Rules: scoring, forwarding, queueing and alerts on what arrives. Other code imports this subject
 * through this file.
 */

export { exportCalls } from './export-calls.ts'
export type { Backfill } from './model/backfills.ts'
export type { DryRunLine } from './model/dry-run.ts'
export type { Delivery, Rule, RuleActionSent, RuleCondition } from './model/rules.ts'
export { openRules } from './open-rules.ts'
export { rulesApi } from './operations/index.ts'
export type { Rules } from './rules.ts'
