import { callsTable } from './calls-table.ts'
import { json, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const runFiguresTable = defineTable({
  name: 'run_figures',
  description:
    'What the calls of ended evaluation runs say of them: rows, scores, latency, usage. Derived: the server computes ' +
    'a row again when the calls of the run have changed, or when there is none.',
  columns: {
    id: text('id of the run'),
    stamp: text('state of the calls that it was computed from; with another one it is out of date'),
    figures: json('JSON object: the figures'),
    computed_at: time('when it was computed'),
  },
  id: 'id',
  order: ['id'],
  presence: 'stamp',
  updatedAt: 'computed_at',
  refersTo: [callsTable],
})
