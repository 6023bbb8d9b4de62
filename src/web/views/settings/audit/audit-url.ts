import { keysOf } from '../../../../lib/present.ts'
import type { AuditFilter } from '../../../api/audit.ts'
import { readTimeRange, spanOf, type TimeRange, writeTimeRange } from '../../../filter/time-range.ts'
import { flag, oneOf, type Param, text, type Values } from '../../../state/search-text.ts'
import { auditText } from '../../../text/settings/settings-pages.ts'

const timeRange: Param<TimeRange> = { initial: { kind: 'all' }, read: readTimeRange, write: writeTimeRange }

/** Kinds of entries in the order of the choice. */
export const auditChoices = keysOf(auditText.kinds)

/** The address of the log: kind, person, operation, time range, and whether only failures. */
export const auditUrl = {
  show: oneOf(['people', 'sign-in', 'admin', 'change', 'ingest', 'read']),
  who: text(),
  op: text(),
  t: timeRange,
  failed: flag(),
}

/** The request that values of the address stand for. */
export function filterOf({ show, who, op, t, failed }: Values<typeof auditUrl>, now: number): AuditFilter {
  const span = spanOf(t, now)
  const iso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  const until = t.kind === 'between' ? iso(span?.to) : null
  return { choice: show, who, operation: op.trim(), since: iso(span?.from), until, isFailedOnly: failed }
}
