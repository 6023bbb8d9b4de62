import { DomainError } from '../../lib/errors.ts'
import { toolLimits } from '../../lib/limits/tools.ts'
import { runChild } from '../../runtime/platform/processes/child-program.ts'
import type { ProjectReader } from '../access/index.ts'
import type { SqlOutcome, SqlTask } from './sql-program.ts'

/** Rows of a user's statement. */
export type SqlRows = Exclude<SqlOutcome, { refused: string }>

/**
 * Runs statements of users, each in a process of its own, one at a time. See
 * docs/decisions/116-sql-in-a-process-of-its-own.md.
 */
export class SqlRunner {
  private readonly folders: Pick<SqlTask, 'dataFolder' | 'temporaryFolder'>
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0

  constructor(folders: Pick<SqlTask, 'dataFolder' | 'temporaryFolder'>) {
    this.folders = folders
  }

  /**
   * @throws DomainError InvalidRequest for what is not allowed; QueryTimeout, Overloaded
   */
  async run(reader: ProjectReader, statement: string, rowsMax: number, signal: AbortSignal): Promise<SqlRows> {
    if (this.waiting >= toolLimits.sqlWaitingMax)
      throw new DomainError('Overloaded', 'Too many SQL statements are waiting; try again later')
    this.waiting++
    const turn = this.last.then(() =>
      this.start({ ...this.folders, projectId: reader.projectId, statement, rowsMax }, signal),
    )
    this.last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.waiting--
    }
  }

  private async start(task: SqlTask, signal: AbortSignal): Promise<SqlRows> {
    if (signal.aborted) throw new DomainError('RequestCancelled', 'Client disconnected')
    const bounds = { timeoutMs: toolLimits.sqlTimeoutMs, outputBytesMax: toolLimits.sqlOutputBytesMax, signal }
    const ending = await runChild(sqlCommand, JSON.stringify(task), bounds)
    if (ending === 'timeout')
      throw new DomainError(
        'QueryTimeout',
        `The statement took longer than ${toolLimits.sqlTimeoutMs / 1000} s; read fewer rows`,
      )
    if (ending === 'aborted') throw new DomainError('RequestCancelled', 'Client disconnected')
    if (ending === 'failed')
      throw new DomainError('QueryTooLarge', 'The statement needed too much memory or returned too much; read less')
    const outcome: SqlOutcome = JSON.parse(ending.output)
    if ('refused' in outcome) throw new DomainError('InvalidRequest', outcome.refused)
    return outcome
  }
}

/** The word with which the program runs a statement instead of a command. */
export const sqlCommand = 'sql-task'
