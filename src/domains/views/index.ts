/**
 * Views of the stored tables for other engines. Other code imports this subject through this file.
 */

export { usedRates } from './rates.ts'
export { type EngineName, engines, viewStatements } from './sql/statements.ts'
export { viewsWith } from './sql/views.ts'
