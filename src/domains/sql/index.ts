/**
 * Read-only SQL over the stored tables. Other code imports this subject through this file.
 */

export { computedCallColumns, usageView } from './computed-columns.ts'
export { openSqlTables, projectPrices, readableNames } from './open-sql-tables.ts'
export { sqlApi } from './operations/index.ts'
export { runSqlTask, type SqlTask } from './sql-program.ts'
export { SqlRunner, sqlCommand } from './sql-runner.ts'
export { sqlSchema } from './sql-schema.ts'
