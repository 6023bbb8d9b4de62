/** Read-only links to single traces. Other code imports this subject through this file. */

export type { CreatedLink, Link, Links } from './model/links.ts'
export { sharingApi } from './operations/index.ts'
export { type SharedLink, SharedLinks } from './shared-links.ts'
export { outsideOfTrace, SharedReads } from './shared-reads.ts'
