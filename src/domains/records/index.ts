/**
 * Rows of any described table: reading, writing, paging. Other code imports this subject through
 * this file.
 */

export { type PageStart, startAfter } from './after-cursor.ts'
export { Records } from './records.ts'
export { withInternalRefs, withOutsideRefs } from './refs-in-json.ts'
export { TableRows } from './table-rows.ts'
export { bucketsMax, checkAnswerSize, finiteOrNull, parseTimeRange, type TimeRange } from './time-range.ts'
