#!/usr/bin/env bun
import { Command, CommanderError } from 'commander'
import { agentToolCommands } from './cli/agent-tools/commands.ts'
import { backupCommand } from './cli/backup.ts'
import { compactCommand } from './cli/compact.ts'
import { demoCommand } from './cli/demo.ts'
import { completeCommand, completionsCommand } from './cli/description/completions.ts'
import { manCommand } from './cli/description/man-page.ts'
import { eraseCommand } from './cli/erase.ts'
import { exportCommand } from './cli/export.ts'
import { flushCommand } from './cli/flush.ts'
import { healthCommand } from './cli/health.ts'
import { importCommand } from './cli/import.ts'
import { jobsCommand } from './cli/jobs.ts'
import { keysCommand } from './cli/keys.ts'
import { openCommand } from './cli/open.ts'
import { repairCommand } from './cli/repair.ts'
import { retentionCommand } from './cli/retention.ts'
import { usageError } from './cli/run.ts'
import { secretsCommand } from './cli/secrets.ts'
import { serveCommand } from './cli/serve.ts'
import { runProgramCommand } from './cli/setup/run-command.ts'
import { setupCommand } from './cli/setup/setup-command.ts'
import { sqlCommand } from './cli/sql.ts'
import { sqlTaskCommand } from './cli/sql-task.ts'
import { upgradeCheckCommand } from './cli/upgrade-check.ts'
import { usageCommand } from './cli/usage.ts'
import { verifyCommand } from './cli/verify.ts'
import { ConfigError } from './config/config-error.ts'
import { argv, environmentVariable, exit, writeStderr } from './platform/runtime.ts'
import { DataFolderError } from './store/data-folder-error.ts'
import { version } from './version.ts'

const program = new Command('tracelake')
  .description(
    'Self-hosted tracing and evaluation store for LLM applications: one process, one folder, open Parquet files.',
  )
  .version(version)
  .addCommand(serveCommand(), { isDefault: true })
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
  .addCommand(eraseCommand())
  .addCommand(importCommand())
  .addCommand(sqlCommand())
  .addCommand(exportCommand())
  .addCommand(sqlTaskCommand(), { hidden: true })
  .addCommand(backupCommand())
  .addCommand(verifyCommand())
  .addCommand(repairCommand())
  .addCommand(upgradeCheckCommand())
  .addCommand(flushCommand())
  .addCommand(compactCommand())
  .showHelpAfterError()
for (const command of agentToolCommands()) program.addCommand(command)
program
  .addCommand(completionsCommand())
  .addCommand(manCommand(program, version))
  .addCommand(completeCommand(program), { hidden: true })

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

try {
  for (const command of withSubcommands(program)) command.exitOverride()
  await program.parseAsync(parseCommand(argv()), { from: 'user' })
} catch (cause) {
  // Commander exits with 1 for usage errors, but here 1 means that the work itself failed.
  if (cause instanceof CommanderError)
    exit(cause.exitCode === 1 && cause.code !== 'commander.error' ? usageError : cause.exitCode)
  writeStderr(`tracelake: ${errorMessage(cause)}\n`)
  if (environmentVariable('TRACELAKE_LOG_LEVEL') === 'debug' && cause instanceof Error) writeStderr(`${cause.stack}\n`)
  exit(cause instanceof ConfigError || cause instanceof DataFolderError ? usageError : 1)
}

/**
 * @throws ConfigError if the first word is not a command: Commander would pass it to the default
 *   command, `serve`
 */
function parseCommand(args: readonly string[]): readonly string[] {
  const [first] = args
  const names = ['help', ...program.commands.map((command) => command.name())]
  if (first !== undefined && !first.startsWith('-') && !names.includes(first))
    throw new ConfigError(`unknown command "${first}"; "tracelake --help" lists the commands`)
  return args
}

function errorMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const inner = cause.cause === undefined ? '' : errorMessage(cause.cause)
  return cause.message.includes(inner) ? cause.message : `${cause.message}: ${inner}`
}
