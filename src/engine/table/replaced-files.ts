import { DomainError } from '../../lib/errors.ts'
import { storageLimits } from '../../lib/limits/storage.ts'
import { waiting } from '../../runtime/platform/without-waiting.ts'
import { StoredRowsAway } from './bring-stored-rows.ts'

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
 * Runs `work`, and retries it a few times if another engine replaced files that it reads, or if it
 * needs files that have to be fetched first. Must not be called under the layers lock, which
 * `follow` takes.
 *
 * @param commits of the table, which other engines may have changed
 * @param signal ends the wait for files
 * @throws the last failure of `work`
 */
export async function retryIfReplaced<T>(
  work: () => Promise<T>,
  commits: { follow(): Promise<unknown> },
  signal?: () => AbortSignal,
): Promise<T> {
  using held = new DisposableStack()
  for (let [replaced, away] = [1, 1]; ; ) {
    try {
      // Rows that need yet another file may arrive each time.
      return await (away > storageLimits.awayReadsMax ? waiting(work) : work())
    } catch (cause) {
      if (cause instanceof StoredRowsAway) {
        away++
        held.use(await cause.bring(signal?.()))
        continue
      }
      if (!(cause instanceof FilesReplaced) || replaced++ >= storageLimits.replacedReadsMax) throw cause
      // Failures are reported where they occur; the next attempt fails in the same way.
      await commits.follow().catch(() => {})
    }
  }
}
