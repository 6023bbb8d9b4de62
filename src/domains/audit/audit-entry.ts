/** What kind of thing somebody did. */
export type AuditKind = 'sign-in' | 'admin' | 'change' | 'ingest' | 'read'

/** One request as the audit log keeps it. */
export interface AuditEntry {
  readonly kind: AuditKind
  readonly operation: string
  readonly userId: string
  readonly userName: string
  readonly projectIds: readonly string[]
  /** Ids that the request named. */
  readonly itemIds: readonly string[]
  /** Number of ids or items that the request named. */
  readonly items: number
  readonly status: number
  readonly address: string
  readonly requestId: string | undefined
}
