/**
 * The audit log. Other code imports this subject through this file.
 */

export type { AuditEntry, AuditKind } from './audit-log.ts'
export { AuditLog } from './audit-log.ts'
export { AuditEntries, AuditRequest } from './model/audit.ts'
