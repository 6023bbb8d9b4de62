import { column, columnIndex, replaceTable } from '../kernel/table.ts'

/** All jobs lie together under the scope of every project, so that one look finds what a stopped server left undone. */
export const jobsPartition = '*'

/** Work that goes on after its request was answered: one row each, replaced whenever its state changes. */
export const jobsTable = replaceTable({
  name: 'jobs',
  project: 'always *: jobs of all projects are one list',
  columns: [
    column('id', 'text', 'id of the job; of the call that it makes, where it makes one'),
    column('target_project_id', 'text', 'entity/project in which the work is done'),
    column('kind', 'text', 'what is done: evaluate_model, rescore or score_calls'),
    column('request', 'json', 'JSON object: what was asked for'),
    column('state', 'text', 'waiting, completed, failed or cancelled'),
    column(
      'attempts',
      'integer',
      'times that the work broke off by itself, or the server died before a part of it was done; a stop of the server does not count',
    ),
    column('error', 'text', 'why the job failed'),
    column('ext_user_id', 'text', 'id of the API key that asked for it'),
    column('ext_username', 'text', 'name of that key'),
    column('created_at', 'time', 'when it was asked for, UTC'),
    column('updated_at', 'time', 'when its state changed last, UTC'),
  ],
  order: ['project_id', 'created_at', 'id'],
  bounded: ['project_id', 'id', 'state', 'created_at'],
  filtered: ['id'],
  updatedAtColumn: 'updated_at',
  presenceColumn: 'kind',
})

/** Position of a cell of a job's row. */
export const jobCell = (name: string): number => columnIndex(jobsTable, name)
