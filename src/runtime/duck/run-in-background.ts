import type { DuckDBConnection, DuckDBPendingResult, DuckDBResult } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'
import { delay } from '../platform/event-loop.ts'
import { cpuSeconds } from '../platform/processes/process-stats.ts'

const pauseMsMax = 8
/** Of all threads together. */
const aloneCpuSecondsMax = 5
const aloneMsMax = 10_000

/**
 * Runs a statement on DuckDB's own threads, of which there must be at least one. A thread that
 * waits for a result takes part in the work, and spins while the last tasks are with others: that
 * can double the processor time of a long statement. It only joins after some seconds, because
 * statements of readers may keep the other threads busy. They are seconds of processor time: where
 * other programs use the processors, every statement takes longer.
 *
 * @throws Error with the text of DuckDB if the statement fails
 */
export async function runInBackground(connection: DuckDBConnection, text: string): Promise<DuckDBResult> {
  const pending = await connection.start(text)
  const joinsAtMs = performance.now() + aloneMsMax
  const joinsAtCpuSeconds = cpuSeconds() + aloneCpuSecondsMax
  for (let pauseMs = 1; isRunning(pending); pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    if (performance.now() > joinsAtMs || cpuSeconds() > joinsAtCpuSeconds) break
    await delay(pauseMs)
  }
  return await pending.getResult()
}

/** @throws Error if the statement failed */
function isRunning(pending: DuckDBPendingResult): boolean {
  const handle = pending['pending_result']
  const state = duckdb.pending_execute_check_state(handle)
  // The C interface has no other state for statements that ended, or whose tasks are blocked.
  const message = state === duckdb.PendingState.ERROR ? duckdb.pending_error(handle) : ''
  // `getResult` would put a sentence of its own before the text.
  if (message !== '') throw new Error(message)
  return state === duckdb.PendingState.RESULT_NOT_READY || state === duckdb.PendingState.NO_TASKS_AVAILABLE
}
