import { Command } from 'commander'
import { runSqlTask, type SqlTask, sqlCommand } from '../domains/sql/index.ts'
import { readParentInput, volunteerForMemoryShortage } from '../runtime/platform/processes/child-program.ts'
import { writeStdout } from '../runtime/platform/runtime.ts'

/** `sql-task`: a statement of the tools for agents, for a server that starts this program. */
export const sqlTaskCommand = (): Command =>
  new Command(sqlCommand).description('run one statement for a server').action(async () => {
    volunteerForMemoryShortage()
    const task: SqlTask = JSON.parse(await readParentInput())
    writeStdout(JSON.stringify(await runSqlTask(task)))
  })
