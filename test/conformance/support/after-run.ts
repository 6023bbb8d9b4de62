import { afterAll } from 'bun:test'
import process from 'node:process'

/**
 * Calls `stop` after the last file of a test run; for preloaded modules. In a worker of `bun test
 * --parallel` Bun would call it after each file, so nothing is called there: `--no-orphans` ends
 * the processes that a worker leaves.
 */
export function afterRun(stop: () => Promise<void>, timeoutMs: number): void {
  if (process.env['BUN_TEST_WORKER_ID'] === undefined) afterAll(stop, timeoutMs)
}
