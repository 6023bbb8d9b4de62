/**
 * Operations of administrators: keys, secrets, storage, jobs, the audit log; maintenance of a
 * folder. Other code imports this subject through this file.
 */

export { type RepairFolderOptions, repairFolder, repairLockedFolder } from './maintenance/repair-folder.ts'
export { type VerifiedFolder, verifyFolder } from './maintenance/verify-folder.ts'
export type {
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeys,
  CreatedApiKey,
  EffectiveSettings,
  JobList,
  RotatedApiKey,
  SecretName,
  SecretNames,
  SecretSet,
  Storage,
} from './model/admin.ts'
export type { People } from './model/people.ts'
export { accountsApi } from './operations/accounts/index.ts'
export { adminApi } from './operations/admin/index.ts'
export { StorageUsage } from './storage-usage.ts'
