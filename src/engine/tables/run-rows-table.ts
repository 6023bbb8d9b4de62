import { callsTable } from './calls-table.ts'
import { integer, json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const runRowsTable = defineTable({
  name: 'run_rows',
  description:
    'The rows of ended evaluation runs, averaged over their trials. Derived: the server computes them again when the ' +
    'calls of the run or the prices have changed, or when there are none.',
  columns: {
    id: text('id of the run'),
    stamp: text('state of the calls and prices that they were computed from; with another one they are out of date'),
    row_count: integer('number of rows'),
    digests: json('JSON array: digests of the rows, in ascending order'),
    first_trials: json('JSON array: ids of their first trials'),
    numbers: json(
      'JSON string: base64 of little-endian arrays with a number a row: start of the first trial (microseconds), ' +
        'seconds, cost and the mean of each score as float64 (NaN if unknown), trials and failed trials as uint32',
    ),
    details: json('JSON object: the scores, calls that failed, and scorers'),
    computed_at: time('when they were computed'),
  },
  id: 'id',
  order: ['id'],
  presence: 'stamp',
  updatedAt: 'computed_at',
  refersTo: [callsTable],
})
