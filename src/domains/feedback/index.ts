/**
 * Feedback on calls, and statistics of it. Other code imports this subject through this file.
 */

export { Feedback, feedbackRules } from './feedback.ts'
export type { Distribution, FeedbackDistributions, FeedbackGroup } from './model/distributions.ts'
export type { FeedbackCreate } from './model/feedback.ts'
export { feedbackApi } from './operations/index.ts'
export { payloadPath } from './payload-paths.ts'
