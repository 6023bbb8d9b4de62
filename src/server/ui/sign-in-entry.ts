import type { Caller } from '../../domains/access/index.ts'
import type { AuditEntry } from '../../domains/audit/index.ts'

/** The entry of a sign-in for the audit log. @param caller undefined if it failed */
export const signInEntry = (operation: string, status: number, address: string, caller?: Caller): AuditEntry => ({
  kind: 'sign-in',
  operation,
  userId: caller?.userId ?? '',
  userName: caller?.userName ?? '',
  projectIds: [],
  itemIds: [],
  items: 0,
  status,
  address,
  requestId: undefined,
})
