import { isOfFeedback, isOfQueue, isOfUsage } from './catalog.ts'
import type { Expression } from './expression.ts'
import { visitFields } from './walk.ts'

const ofColumn = 1
const ofList = 4
const ofJson = 100
const ofOtherTable = 200

/**
 * Rough cost of testing one row: plain columns are nearly free, JSON has to be parsed, other tables
 * have to be joined.
 */
export function costOf(condition: Expression): number {
  let cost = 0
  visitFields(condition, (field) => {
    if (isOfUsage(field) || isOfFeedback(field) || isOfQueue(field)) cost += ofOtherTable
    else if (field.kind === 'json') cost += ofJson
    else cost += field.kind === 'column' && field.type === 'texts' ? ofList : ofColumn
  })
  return cost
}

/** Whether testing many rows takes noticeable time. */
export const isExpensive = (condition: Expression): boolean => costOf(condition) >= ofJson
