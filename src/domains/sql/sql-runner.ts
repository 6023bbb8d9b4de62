import { DomainError } from '../../lib/errors.ts'
import { sqlLimits } from '../../lib/limits/sql.ts'
import { randomHex } from '../../runtime/platform/crypto.ts'
import { ensureFolder, removeFolder } from '../../runtime/platform/files/files.ts'
import { joinPath } from '../../runtime/platform/files/paths.ts'
import { runChild } from '../../runtime/platform/processes/child-program.ts'
import type { ProjectReader, ProjectsReader } from '../access/index.ts'
import { tablesNamed } from './open-sql-tables.ts'
import type { SqlAnswer, SqlOutcome, SqlRefusal, SqlTask } from './sql-program.ts'

/** A statement to run. */
type SqlRequest = Pick<SqlTask, 'statement' | 'times' | 'rowsMax' | 'format' | 'limits'>

/** What a statement returned; its rows as text in the requested format. */
export interface SqlResult extends SqlAnswer {
  readonly text: string
}

/** Brings the files of tables into the folder; they stay until the result is disposed of. */
export type PrepareTables = (tableNames: readonly string[], signal: AbortSignal) => Promise<AsyncDisposable>

/**
 * Runs statements of users, each in a process of its own, one at a time. See
 * docs/decisions/116-sql-in-a-process-of-its-own.md and docs/decisions/247-sql-over-http.md.
 */
export class SqlRunner {
  private readonly dataFolder: string
  private readonly temporaryFolder: string
  private readonly prepare: PrepareTables | undefined
  private last: Promise<unknown> = Promise.resolve()
  private waiting = 0

  constructor(options: Pick<SqlTask, 'dataFolder' | 'temporaryFolder'> & { readonly prepare?: PrepareTables }) {
    this.dataFolder = options.dataFolder
    this.temporaryFolder = options.temporaryFolder
    this.prepare = options.prepare
  }

  /**
   * @param reader of one project, whose rows alone it reads, or of all
   * @throws DomainError Forbidden to a reader of some projects; InvalidRequest for what is not
   *   allowed, with its place as `line` and `column`; QueryTimeout and QueryTooLarge with the
   *   `limit` that was reached; Overloaded
   */
  async run(reader: ProjectReader | ProjectsReader, request: SqlRequest, signal: AbortSignal): Promise<SqlResult> {
    const projectId = projectOf(reader)
    if (this.waiting >= sqlLimits.waitingMax)
      throw new DomainError('Overloaded', 'Too many SQL statements are waiting; try again later')
    this.waiting++
    const turn = this.last.then(() => this.start({ ...request, projectId }, signal))
    this.last = turn.catch(() => undefined)
    try {
      return await Promise.race([turn, whenAborted(signal)])
    } finally {
      this.waiting--
    }
  }

  private async start(request: SqlRequest & Pick<SqlTask, 'projectId'>, signal: AbortSignal): Promise<SqlResult> {
    const tables = this.prepare && tablesNamed(request.statement)
    await using _ = tables && (await this.prepare?.(tables, signal))
    if (signal.aborted) throw cancelled()
    const temporaryFolder = joinPath(this.temporaryFolder, `sql-${randomHex(8)}`)
    await ensureFolder(temporaryFolder)
    try {
      return await this.runIn({ ...request, tables, dataFolder: this.dataFolder, temporaryFolder }, signal)
    } finally {
      // A process that was killed leaves what it spilled.
      await removeFolder(temporaryFolder)
    }
  }

  private async runIn(task: SqlTask, signal: AbortSignal): Promise<SqlResult> {
    const { openingMs, timeoutMs, outputBytesMax } = task.limits
    const bounds = { openingMs, timeoutMs, outputBytesMax: 2 * outputBytesMax, signal }
    const ending = await runChild(sqlCommand, JSON.stringify(task), bounds)
    if (ending === 'aborted') throw cancelled()
    if (ending === 'timeout')
      throw new DomainError('QueryTimeout', `The statement took longer than ${timeoutMs / 1000} s; read fewer rows`, {
        extras: { limit: 'time' },
      })
    if (ending === 'failed') throw tooLarge('The statement needed too much memory or returned too much; read less')
    return resultOf(ending.output)
  }
}

/** Undefined for all projects. */
function projectOf(reader: ProjectReader | ProjectsReader): string | undefined {
  if ('projectId' in reader) return reader.projectId
  if (!reader.scopes.includes('*')) throw new DomainError('Forbidden', 'SQL over all projects requires the scope `*`')
  return undefined
}

const cancelled = () => new DomainError('RequestCancelled', 'Client disconnected')

/** Only ever rejects: a client that leaves while waiting frees its place in the queue. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(cancelled())
    else signal.addEventListener('abort', () => reject(cancelled()), { once: true })
  })

function resultOf(output: string): SqlResult {
  const text = output.trimStart()
  const end = text.indexOf('\n')
  const outcome: SqlOutcome = JSON.parse(text.slice(0, end))
  if (!('refused' in outcome)) return { ...outcome, text: text.slice(end + 1) }
  throw outcome.isTooLarge ? tooLarge(outcome.refused) : refusalError(outcome)
}

const refusalError = ({ refused, place, suggestion }: SqlRefusal) =>
  new DomainError('InvalidRequest', refused, {
    extras: { ...place, ...(suggestion !== undefined && { suggestion }) },
  })

const tooLarge = (message: string) => new DomainError('QueryTooLarge', message, { extras: { limit: 'memory' } })

/** The word with which the program runs a statement instead of a command. */
export const sqlCommand = 'sql-task'
