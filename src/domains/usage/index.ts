/**
 * Statistics of calls: counts, latency, tokens, costs. Other code imports this subject through
 * this file.
 */

export { CallStatistics } from './call-stats.ts'
export type { CallStatsRequest } from './model/call-stats.ts'
export type { ObjectUses } from './model/object-uses.ts'
export { ObjectUseCounts } from './object-uses.ts'
export { usageApi } from './operations/index.ts'
export { ownUsage } from './own-usage.ts'
export { ProjectSizes } from './project-sizes.ts'
export { Usage } from './usage.ts'
