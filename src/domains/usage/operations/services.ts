import type { CallStatistics } from '../call-stats.ts'
import type { ProjectSizes } from '../project-sizes.ts'
import type { Usage } from '../usage.ts'

/** The services that these operations are given. */
export interface UsageServices {
  readonly callStatistics: CallStatistics
  readonly projectSizes: ProjectSizes
  readonly usage: Usage
}
