import { availableParallelism } from 'node:os'
import { environmentVariable } from '../runtime.ts'

/** Unless the operator says otherwise; as in `widenThreadPool`, which may import no module. */
const threadsMin = 8

export const processors = (): number => availableParallelism()

/** How many threads the runtime has for what blocks a thread. */
export function threadsThatWait(): number {
  const given = Number(environmentVariable('UV_THREADPOOL_SIZE'))
  return Number.isInteger(given) && given > 0 ? given : Math.max(threadsMin, availableParallelism())
}
