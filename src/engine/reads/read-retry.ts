import { DomainError } from '../../lib/errors.ts'
import { limits } from '../../lib/limits.ts'
import { FilesReplaced, retryIfReplaced } from '../table/files-replaced.ts'
import type { PinnedTables } from './pinned-tables.ts'

/** How a read gets its view of the tables. */
export interface Views {
  readonly pin: () => Promise<PinnedTables>
  /** Applies what other programs have committed, so that the next view is of it. */
  readonly follow: () => Promise<unknown>
}

/**
 * Runs `read` on a view, and again on a newer one if another program replaced files of the first.
 */
export async function readWithRetry<T>({ pin, follow }: Views, read: (pinned: PinnedTables) => Promise<T>): Promise<T> {
  const once = async () => {
    await using pinned = await pin()
    try {
      return await read(pinned)
    } catch (cause) {
      throw await replacedOr(cause, pinned)
    }
  }
  return await retryIfReplaced(once, follow)
}

/** The same for a generator, as long as it has yielded nothing. */
export async function* streamWithRetry<T>(
  { pin, follow }: Views,
  read: (pinned: PinnedTables) => AsyncIterable<T>,
): AsyncGenerator<T> {
  for (let attempt = 1; ; attempt++) {
    await using pinned = await pin()
    let hasBegun = false
    try {
      for await (const some of read(pinned)) {
        hasBegun = true
        yield some
      }
      return
    } catch (cause) {
      if (hasBegun) throw cause
      const failure = await replacedOr(cause, pinned)
      if (!(failure instanceof FilesReplaced) || attempt >= limits.replacedReadsMax) throw failure
    }
    // A failure is reported where it occurs, and the next attempt fails as this one did.
    await follow().catch(() => {})
  }
}

/** The failure of a read, as `FilesReplaced` if that explains it. */
async function replacedOr(cause: unknown, held: { wasReplaced(): Promise<boolean> }): Promise<unknown> {
  const mayBe = !(cause instanceof DomainError) || cause.type === 'DataDamaged'
  return mayBe && (await held.wasReplaced()) ? new FilesReplaced(cause) : cause
}
