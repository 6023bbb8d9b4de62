/**
 * Traces, threads and conversations. Other code imports this subject through this file.
 */

export { threadsApi, tracesApi } from './operations/index.ts'
export { Threads } from './threads/threads.ts'
export { Traces } from './traces.ts'
