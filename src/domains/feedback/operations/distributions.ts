import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/index.ts'
import type { Feedback } from '../feedback.ts'
import { DistributionsRequest, FeedbackDistributions } from '../model/distributions.ts'

export const distributionsRoute = {
  body: DistributionsRequest,
  response: { 200: FeedbackDistributions },
  detail: {
    operationId: 'feedback.distributions',
    readOnly: true,
    summary: 'Get the distribution of feedback values',
    description:
      'Feedback on the calls that started within a time range, by type and, for scorers, by version: how often each ' +
      'value occurs, and its mean over time. A number of calls is that of a query over calls with the same ' +
      'condition, for example `feedback.[ext.runnable.polite:DIGEST].payload.output`.',
    tags: ['Feedback'],
  },
}

export const feedbackDistributions = (
  { feedback }: { readonly feedback: Feedback },
  caller: Caller,
  { signal }: Request,
  body: Static<typeof DistributionsRequest>,
) => feedback.statistics.distributions(caller.read(body.project_id), body, signal)
