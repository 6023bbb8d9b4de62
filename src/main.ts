#!/usr/bin/env bun
import { Command, CommanderError } from 'commander'
import { usageError } from './cli/run.ts'
import { serveCommand } from './cli/serve.ts'
import { DataFolderError } from './engine/layout.ts'
import { version } from './lib/version.ts'
import { ConfigError } from './runtime/config/config-error.ts'
import { argv, environmentVariable, exit, writeStderr } from './runtime/platform/runtime.ts'

const program = new Command('tracelake')
  .description(
    'Self-hosted tracing and evaluation store for LLM applications: one process, one folder, open Parquet files.',
  )
  .version(version)
  .addCommand(serveCommand(), { isDefault: true })
  .showHelpAfterError()
// A server starts faster, and takes less memory, without the modules of the other commands.
if (![undefined, 'serve'].includes(argv()[0])) {
  const { addCommands } = await import('./cli/add-commands.ts')
  addCommands(program, version)
}

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
