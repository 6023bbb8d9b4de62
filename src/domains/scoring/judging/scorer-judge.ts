import { DomainError } from '../../../lib/errors.ts'
import { operationLimits } from '../../../lib/limits/operations.ts'
import type { Judge } from '../scorers/scorer.ts'
import { Judges, JudgingTimeout } from './judges.ts'

const judges = new Judges(operationLimits.scoreMs)

/**
 * A judge that runs in the worker thread and is disabled after it has timed out a few times.
 *
 * @param fields scorer fields, validated against the schema of the class
 * @throws DomainError InvalidRequest if the fields are invalid
 */
export async function scorerJudge(className: string, fields: unknown): Promise<Judge> {
  const ask = async (what: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof JudgingTimeout)
        throw new DomainError('InvalidRequest', `${className}: ${what} ${cause.message}`, { cause })
      throw cause
    }
  }
  await ask('preparation', () => judges.ask({ kind: 'prepare', className, fields }))
  let stopped = 0
  return async (example) => {
    if (stopped >= operationLimits.scoresStoppedMax) {
      throw new DomainError(
        'InvalidRequest',
        `${className}: disabled for this job after timing out ${stopped} times (limit: ` +
          `${operationLimits.scoreMs / 1000} seconds per output)`,
      )
    }
    return await ask('scoring', async () => {
      try {
        return await judges.ask({ kind: 'score', className, fields, example })
      } catch (cause) {
        if (cause instanceof JudgingTimeout) stopped++
        throw cause
      }
    })
  }
}
