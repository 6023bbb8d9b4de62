import type { Command } from 'commander'
import { DataFolderError } from '../engine/layout.ts'
import { DomainError } from '../lib/errors.ts'
import { ConfigError } from '../runtime/config/config-error.ts'

/** Exit code for invalid usage; 1 means that the command itself failed. */
export const usageError = 2

/** Runs a command; turns an exception into a line on standard error and an exit code. */
export async function run(self: Command, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isUsage =
      error instanceof ConfigError ||
      error instanceof DataFolderError ||
      (error instanceof DomainError && error.type === 'InvalidRequest')
    const message = error instanceof Error ? error.message : String(error)
    self.error(`error: ${message}`, { exitCode: isUsage ? usageError : 1 })
  }
}

/** Writes lines to the standard output of a command. */
export function print(self: Command, ...lines: readonly string[]): void {
  self.configureOutput().writeOut?.(`${lines.join('\n')}\n`)
}
