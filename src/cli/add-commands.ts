import type { Command } from 'commander'
import { agentToolCommands } from './agent-tools/commands.ts'
import { backupCommand } from './backup.ts'
import { compactCommand } from './compact.ts'
import { copyCommand } from './copy.ts'
import { datasetsCommand } from './datasets.ts'
import { demoCommand } from './demo.ts'
import { completeCommand, completionsCommand } from './description/completions.ts'
import { manCommand } from './description/man-page.ts'
import { eraseCommand } from './erase.ts'
import { evalsCommand } from './evals.ts'
import { exportCommand } from './export.ts'
import { flushCommand } from './flush.ts'
import { healthCommand } from './health.ts'
import { importCommand } from './import.ts'
import { jobsCommand } from './jobs.ts'
import { keysCommand } from './keys.ts'
import { lakeCommand } from './lake.ts'
import { openCommand } from './open.ts'
import { repairCommand } from './repair.ts'
import { retentionCommand } from './retention.ts'
import { secretsCommand } from './secrets.ts'
import { runProgramCommand } from './setup/run-command.ts'
import { setupCommand } from './setup/setup-command.ts'
import { sqlCommand } from './sql.ts'
import { sqlTaskCommand } from './sql-task.ts'
import { upgradeCheckCommand } from './upgrade-check.ts'
import { usageCommand } from './usage.ts'
import { verifyCommand } from './verify.ts'
import { viewsCommand } from './views.ts'

/** Adds every command but `serve` to the program. */
export function addCommands(program: Command, version: string): void {
  program
    .addCommand(demoCommand())
    .addCommand(openCommand())
    .addCommand(healthCommand())
    .addCommand(setupCommand())
    .addCommand(runProgramCommand())
    .addCommand(keysCommand())
    .addCommand(secretsCommand())
    .addCommand(jobsCommand())
    .addCommand(usageCommand())
    .addCommand(retentionCommand())
    .addCommand(evalsCommand())
    .addCommand(datasetsCommand())
    .addCommand(eraseCommand())
    .addCommand(importCommand())
    .addCommand(sqlCommand())
    .addCommand(viewsCommand())
    .addCommand(exportCommand())
    .addCommand(sqlTaskCommand(), { hidden: true })
    .addCommand(backupCommand())
    .addCommand(copyCommand())
    .addCommand(verifyCommand())
    .addCommand(repairCommand())
    .addCommand(upgradeCheckCommand())
    .addCommand(flushCommand())
    .addCommand(compactCommand())
    .addCommand(lakeCommand())
  for (const command of agentToolCommands()) program.addCommand(command)
  program
    .addCommand(completionsCommand())
    .addCommand(manCommand(program, version))
    .addCommand(completeCommand(program), { hidden: true })
}
