/**
 * Traces, threads and conversations. Other code imports this subject through this file.
 */

export { threadsApi } from './operations/threads/index.ts'
export { tracesApi } from './operations/traces/index.ts'
export { Threads } from './threads/threads.ts'
export { Traces } from './traces.ts'
