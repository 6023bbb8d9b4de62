import { type Logger, pino } from 'pino'
import type { Config } from './config/configuration.ts'

export type Log = Logger

/**
 * Structured log, one JSON object per line on standard error; standard output is reserved for
 * command output.
 */
export function createLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  )
}
