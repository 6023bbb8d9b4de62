import type { AuditEntries } from '../../domains/audit/index.ts'
import { post } from './client.ts'

/** What the page shows of the log. */
export type AuditChoice = 'people' | 'sign-in' | 'admin' | 'change' | 'ingest' | 'read'

/** Reads the newest entries, for the query cache. */
export const auditQuery = (choice: AuditChoice, limit: number) => ({
  queryKey: ['audit', choice, limit],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<AuditEntries> =>
    post('/audit/query', { kinds: choice === 'people' ? ['sign-in', 'admin', 'change'] : [choice], limit }, { signal }),
})
