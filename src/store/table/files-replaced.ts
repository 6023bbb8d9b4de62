import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** A read met a file that another program has replaced. What took its place is known once that program's commits are followed. */
export class FilesReplaced extends DomainError {
  constructor(cause?: unknown) {
    super('StoreUnavailable', 'Read stored data: another program replaces its files all the time; try again later', {
      cause,
    })
  }
}

/**
 * Does work that reads files, and does it again, a few times at most, where another program has replaced some of them. Not under the lock on
 * layers, which following takes.
 *
 * @param follow takes over what other programs have committed
 * @throws what the work threw last
 */
export async function retryIfReplaced<T>(work: () => Promise<T>, follow: () => Promise<unknown>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof FilesReplaced) || attempt >= limits.replacedReadsMax) throw cause
      // What fails is reported where it occurs, and the next attempt fails as this one did.
      await follow().catch(() => {})
    }
  }
}
