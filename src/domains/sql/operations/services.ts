import type { SqlRunner } from '../sql-runner.ts'

/** The services that these operations are given. */
export interface SqlServices {
  readonly sql: SqlRunner
}
