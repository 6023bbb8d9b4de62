import type { Access, Logins, SecretStore } from '../../access/index.ts'
import type { AuditLog } from '../../audit/index.ts'
import type { Jobs } from '../../jobs/index.ts'
import type { StorageUsage } from '../storage-usage.ts'

/** The services that these operations are given. */
export interface AdminServices {
  readonly access: Access
  readonly audit: AuditLog
  readonly jobs: Jobs
  readonly logins: Logins
  readonly secrets: SecretStore
  readonly storage: StorageUsage
}
