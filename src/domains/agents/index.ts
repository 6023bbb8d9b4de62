/**
 * Activity of agents: spans, conversations, searches and statistics of them. Other code imports
 * this subject through this file.
 */

export { Agents } from './agents.ts'
export { agentsApi } from './operations/index.ts'
