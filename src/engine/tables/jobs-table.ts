import { callsTable } from './calls-table.ts'
import { integer, json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'
import { objectsTable } from './objects-table.ts'

/** The project of all rows of the table: one query finds what a stopped server left unfinished. */
export const jobsPartition = '*'

export const jobsTable = defineTable({
  name: 'jobs',
  description: 'Work that outlives the request that asked for it. The row is replaced whenever the state changes.',
  project: 'always `*`: the jobs of all projects form one list',
  columns: {
    id: text('id of the job, and of the call that it creates, if any'),
    target_project_id: text('entity/project in which the job works'),
    kind: text('evaluate_model, rescore, score_calls, backfill_rule or erase_project'),
    request: json('JSON object: the request'),
    state: text('waiting, completed, failed or cancelled', { bounds: true }),
    attempts: integer('number of times that the job failed or the server died during it; a clean stop does not count'),
    error: text('why the job failed', { nullable: true }),
    progress: json('JSON object: how far the job has come, if its kind says so', { nullable: true }),
    ext_user_id: text('id of the API key that requested the job'),
    ext_username: text('name of that key'),
    created_at: time('when the job was requested', { bounds: true }),
    updated_at: time('when the state last changed'),
  },
  id: 'id',
  order: ['created_at', 'id'],
  presence: 'kind',
  updatedAt: 'updated_at',
  refersTo: [callsTable, objectsTable],
})
