/**
 * Work that the server resumes after a restart. Other code imports this subject through this file.
 */

export { type Job, type JobOutcome, type JobRunner, requestOf } from './job.ts'
export { Jobs } from './jobs.ts'
