/**
 * How long calls are kept, and erasing projects. Other code imports this subject through this
 * file.
 */

export { type ErasureProgress, eraseProject } from './erase-project.ts'
export { Erasures } from './erasures.ts'
export { Expiry } from './expiry.ts'
export type { Erasure, ErasureList, RetentionPolicy, RetentionTried } from './model/retention.ts'
export { retentionApi } from './operations/index.ts'
export { Retention } from './retention.ts'
export { RetentionPreviews } from './retention-preview.ts'
