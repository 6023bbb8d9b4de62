import { integer, text, time } from './columns.ts'
import { costsTable } from './costs-table.ts'
import { defineTable } from './define-table.ts'
import { feedbackTable } from './feedback-table.ts'
import { jobsTable } from './jobs-table.ts'
import { labelsTable } from './objects-table.ts'
import { progressTable } from './queue-tables.ts'

/** The project of all rows of the table: keys are found by a hash of sender, operation and key. */
export const idempotencyPartition = '*'

export const idempotencyTable = defineTable({
  name: 'idempotency_keys',
  description: 'Requests sent with an `Idempotency-Key`: first that they began, later their response.',
  project: 'always `*`: the requests of all projects form one list',
  columns: {
    id: text('hash of API key id, operation with path, and the key that the client chose'),
    target_project_id: text('entity/project that the request names; null if it names none', { nullable: true }),
    fingerprint: text('hash of the request body: the same key with another body is refused'),
    status: integer('HTTP status of the response; null until then, and if the response is not stored', {
      nullable: true,
    }),
    answer: text('response body, as it was sent', { nullable: true }),
    created_at: time('when the request first arrived; ids that it generates carry this time', { bounds: true }),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'fingerprint',
  // A stored response names rows of any table.
  refersTo: [costsTable, feedbackTable, jobsTable, labelsTable, progressTable],
})
