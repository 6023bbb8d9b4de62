import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'

/**
 * A read hit a file that another engine has replaced. Following that engine's commits yields its
 * replacement.
 */
export class FilesReplaced extends DomainError {
  constructor(cause?: unknown) {
    super('StoreUnavailable', 'Cannot read stored data: another engine keeps replacing its files; try again later', {
      cause,
    })
  }
}

/**
 * Runs `work`, and retries it a few times if another engine replaced files that it reads. Must not
 * be called under the layers lock, which `follow` takes.
 *
 * @param follow catches up with commits of other engines
 * @throws the last failure of `work`
 */
export async function retryIfReplaced<T>(work: () => Promise<T>, follow: () => Promise<unknown>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof FilesReplaced) || attempt >= storageLimits.replacedReadsMax) throw cause
      // Failures are reported where they occur; the next attempt fails in the same way.
      await follow().catch(() => {})
    }
  }
}
