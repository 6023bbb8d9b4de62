#!/usr/bin/env bun
import { Command, CommanderError } from 'commander'
import { backupCommand } from './cli/backup.ts'
import { compactCommand } from './cli/compact.ts'
import { flushCommand } from './cli/flush.ts'
import { keysCommand } from './cli/keys.ts'
import { secretsCommand } from './cli/secrets.ts'
import { serveCommand } from './cli/serve.ts'
import { sqlCommand } from './cli/sql.ts'
import { verifyCommand } from './cli/verify.ts'
import { ConfigError } from './config.ts'
import { commandLineWords, exit, writeError } from './platform/runtime.ts'
import { FolderRefused } from './store/folder-refused.ts'
import { version } from './version.ts'

const program = new Command('tracelake')
  .description('Trace and evaluation store for LLM applications: one process, one folder, open Parquet files.')
  .version(version)
  .addCommand(serveCommand(), { isDefault: true })
  .addCommand(keysCommand())
  .addCommand(secretsCommand())
  .addCommand(sqlCommand())
  .addCommand(backupCommand())
  .addCommand(verifyCommand())
  .addCommand(flushCommand())
  .addCommand(compactCommand())
  .showHelpAfterError()

try {
  await program.parseAsync(commandLineWords(), { from: 'user' })
} catch (cause) {
  if (cause instanceof CommanderError) exit(cause.exitCode)
  if (cause instanceof ConfigError || cause instanceof FolderRefused) {
    writeError(`tracelake: ${cause.message}\n`)
    exit(2)
  }
  throw cause
}
