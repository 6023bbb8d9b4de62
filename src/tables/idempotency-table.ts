import { column, replaceTable } from '../kernel/table.ts'

/** All keys lie together: they are found by a hash of who sent them, where to, and what they are. */
export const idempotencyPartition = '*'

/** Requests that were sent with an `Idempotency-Key`: first that they began, then what was answered. */
export const idempotencyTable = replaceTable({
  name: 'idempotency_keys',
  project: 'always *: requests of all projects are one list',
  columns: [
    column('id', 'text', 'hash of the API key id, the operation with its path, and the key that the client chose'),
    column('fingerprint', 'text', 'hash of the body: the same key with another body is refused'),
    column('status', 'integer', 'status that was answered; null until then, and where the answer is not kept'),
    column('answer', 'text', 'body that was answered, as it was sent'),
    column('created_at', 'time', 'when the request came first, UTC; ids that it makes carry this time'),
  ],
  order: ['project_id', 'created_at', 'id'],
  bounded: ['project_id', 'id', 'created_at'],
  filtered: ['id'],
  presenceColumn: 'fingerprint',
})
