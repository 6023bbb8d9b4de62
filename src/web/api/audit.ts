import type { AuditEntries } from '../../domains/audit/index.ts'
import { post } from './client.ts'

/** The part of the log that the page shows. */
type AuditChoice = 'people' | 'sign-in' | 'admin' | 'change' | 'ingest' | 'read'

/** An entry of the audit log. */
export type AuditEntry = AuditEntries['entries'][number]

/** Which entries are asked for. */
export interface AuditFilter {
  readonly choice: AuditChoice
  /** Id of a key or an account; empty for all. */
  readonly who: string
  /** Id of an operation; empty for all. */
  readonly operation: string
  /** ISO 8601; null for no bound. */
  readonly since: string | null
  readonly until: string | null
  readonly isFailedOnly: boolean
}

const bodyOf = ({ choice, who, operation, since, until, isFailedOnly }: AuditFilter) => ({
  kinds: choice === 'people' ? ['sign-in', 'admin', 'change'] : [choice],
  ext_user_id: who || null,
  operation: operation || null,
  since,
  until,
  is_failed: isFailedOnly ? true : null,
})

/** Reads the newest entries, for the query cache. */
export const auditQuery = (filter: AuditFilter, limit: number) => ({
  queryKey: ['audit', filter, limit],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<AuditEntries> =>
    post('/audit/query', { ...bodyOf(filter), limit }, { signal }),
})

const pageMax = 1_000

/** Reads up to `max` entries, page by page, the newest first. @throws {Problem} */
export async function readAudit(filter: AuditFilter, max: number): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
  // New entries must not move those of the next page.
  const body = { ...bodyOf(filter), until: filter.until ?? new Date().toISOString() }
  const entries: AuditEntry[] = []
  for (;;) {
    const limit = Math.min(pageMax, max - entries.length)
    const page = await post<AuditEntries>('/audit/query', { ...body, limit, offset: entries.length })
    entries.push(...page.entries)
    if (!page.has_more || entries.length >= max) return { entries, isCut: page.has_more }
  }
}
