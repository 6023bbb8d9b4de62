import { Command } from 'commander'
import { runSqlTask, type SqlTask, sqlCommand } from '../domains/sql/index.ts'
import { sqlLimits } from '../lib/limits/sql.ts'
import { endAboveMemory, readParentInput, standBack } from '../runtime/platform/processes/child-program.ts'
import { writeStdout } from '../runtime/platform/runtime.ts'

/** `sql-task`: a statement of a user, for a server that starts this program. */
export const sqlTaskCommand = (): Command =>
  new Command(sqlCommand).description('run one statement for a server').action(async () => {
    standBack()
    const task: SqlTask = JSON.parse(await readParentInput())
    endAboveMemory(task.limits.memoryBytes + sqlLimits.residentBytesMore, sqlLimits.residentCheckMs)
    const { outcome, rows } = await runSqlTask(task, () => writeStdout('\n'))
    writeStdout(`${JSON.stringify(outcome)}\n${rows}`)
  })
