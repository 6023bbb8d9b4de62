/** Word for the calls that `isFailed` matches, beside the statuses of calls. */
export const failedStatus = 'failed'

const field = (path: string) => ({ $getField: path })
const literal = (value: string | null) => ({ $literal: value })
const status = field('summary.ext.status')

/**
 * Query operation that matches calls that have failed themselves or in which a call has failed, at
 * whatever depth; also while they still run. Counts that a client sends in `summary.status_counts`
 * take precedence: a call that ended with no error counted has not failed. See
 * docs/decisions/217-failed.md.
 */
export const isFailed = {
  $or: [
    { $in: [status, [literal('error'), literal('descendant_error')]] },
    {
      $and: [
        { $eq: [status, literal('running')] },
        { $not: [{ $eq: [field('summary.ext.error_inside.call_id'), literal(null)] }] },
      ],
    },
  ],
} as const
