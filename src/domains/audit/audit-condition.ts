import { DomainError, quoted } from '../../lib/errors.ts'
import { parseTime } from '../../lib/time.ts'
import type { AuditRequest } from './model/audit.ts'

/**
 * The condition that an entry is one of those asked for, as a query; undefined for all.
 *
 * @throws DomainError InvalidRequest for a malformed time
 */
export function auditCondition(asked: AuditRequest): { $expr: object } | undefined {
  const { kinds, ext_user_id, operation, since, until, is_failed } = asked
  const conditions = [
    ...(kinds?.length ? [{ $or: kinds.map((kind) => compare('$eq', 'kind', kind)) }] : []),
    ...(ext_user_id == null ? [] : [compare('$eq', 'ext_user_id', ext_user_id)]),
    ...(operation == null ? [] : [compare('$eq', 'operation', operation)]),
    ...(since == null ? [] : [compare('$gte', 'created_at', secondsOf(since))]),
    ...(until == null ? [] : [compare('$lt', 'created_at', secondsOf(until))]),
    ...(is_failed == null ? [] : [compare(is_failed ? '$gte' : '$lt', 'status', 400)]),
  ]
  return conditions.length === 0 ? undefined : { $expr: { $and: conditions } }
}

function secondsOf(text: string): number {
  const micros = parseTime(text)
  if (micros === undefined) throw new DomainError('InvalidRequest', `Invalid time ${quoted(text)}: use ISO 8601`)
  return micros / 1_000_000
}

const compare = (operator: '$eq' | '$gte' | '$lt', field: string, value: string | number) => ({
  [operator]: [{ $getField: field }, { $literal: value }],
})
