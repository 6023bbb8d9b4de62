import type { Access } from '../../access/access.ts'
import type { SecretStore } from '../../access/secrets/secret-store.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { StorageUsage } from '../storage-usage.ts'

/** The services that these operations are given. */
export interface AdminServices {
  readonly access: Access
  readonly audit: AuditLog
  readonly jobs: Jobs
  readonly secrets: SecretStore
  readonly storage: StorageUsage
}
