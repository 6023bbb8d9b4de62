import { reviewFormText } from '../text/review-form.ts'
import { createField } from './fields.ts'
import { createQueue, saveReview } from './queues.ts'

/**
 * Makes a queue whose question is which of two calls is better. @returns its id
 * @throws {Problem}
 */
export async function createPreferenceQueue(projectId: string, name: string, reviewers = 1): Promise<string> {
  const queueId = await createQueue(projectId, name)
  const question = { name: reviewFormText.whichIsBetter, description: '', of: { kind: 'preference' } } as const
  const ref = await createField(projectId, question)
  await saveReview(projectId, queueId, { reviewers, guidelines: '', refs: [ref] })
  return queueId
}
