import { explorationLimits } from './limits/exploration.ts'
import { jobLimits } from './limits/jobs.ts'
import { operationLimits } from './limits/operations.ts'
import { providerLimits } from './limits/providers.ts'
import { queryLimits } from './limits/queries.ts'
import { readLimits } from './limits/reads.ts'
import { requestLimits } from './limits/requests.ts'
import { responseLimits } from './limits/responses.ts'
import { retentionLimits } from './limits/retention.ts'
import { ruleLimits } from './limits/rules.ts'
import { storageLimits } from './limits/storage.ts'
import { telemetryLimits } from './limits/telemetry.ts'
import { toolLimits } from './limits/tools.ts'

export { MiB } from './limits/mib.ts'

/** All limits of the product. Units are in the names. */
export const limits = {
  ...requestLimits,
  ...operationLimits,
  ...providerLimits,
  ...explorationLimits,
  ...queryLimits,
  ...telemetryLimits,
  ...readLimits,
  ...storageLimits,
  ...jobLimits,
  ...responseLimits,
  ...retentionLimits,
  ...ruleLimits,
  ...toolLimits,
} as const
