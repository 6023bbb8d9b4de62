import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Judge } from '../scorers/scorer.ts'
import { Judges, JudgingTimeout } from './judges.ts'

const judges = new Judges(limits.scoreMs)

/**
 * A judge that works in a thread. One that was stopped a few times, because it took too long, is not asked again.
 *
 * @param fields those of a scorer of the class, checked against its schema
 * @throws DomainError InvalidRequest where the fields make no sense
 */
export async function scorerJudge(className: string, fields: unknown): Promise<Judge> {
  const ask = async (what: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof JudgingTimeout)
        throw new DomainError('InvalidRequest', `${what} a ${className}: ${cause.message}`, { cause })
      throw cause
    }
  }
  await ask('Prepare', () => judges.ask({ kind: 'prepare', className, fields }))
  let stopped = 0
  return async (example) => {
    if (stopped >= limits.scoresStoppedMax) {
      throw new DomainError(
        'InvalidRequest',
        `Score with a ${className}: it is not asked any more, since it took more than ${limits.scoreMs / 1000} seconds ${stopped} times`,
      )
    }
    return await ask('Score with', async () => {
      try {
        return await judges.ask({ kind: 'score', className, fields, example })
      } catch (cause) {
        if (cause instanceof JudgingTimeout) stopped++
        throw cause
      }
    })
  }
}
