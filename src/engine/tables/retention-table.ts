import { integer, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

/** The only id: a project has one row. */
export const retentionId = 'days'

export const retentionTable = defineTable({
  name: 'retention',
  description: 'For how many days a project keeps its calls, log records and metrics; without a row, for ever.',
  columns: {
    id: text('always `days`'),
    days: integer('number of days, counted from the start of a call and the time of a record'),
    changed_by: text('id of the API key that set it'),
    changed_by_name: text('name of that key'),
    changed_at: time('when it was set'),
  },
  id: 'id',
  order: ['id'],
  presence: 'days',
  updatedAt: 'changed_at',
})
