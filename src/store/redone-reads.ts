import { DomainError } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Snapshot } from './snapshot.ts'
import { FilesReplaced, retryIfReplaced } from './table/files-replaced.ts'

/** How a view is taken, and how one is made newer that lacks what other programs have committed. */
export interface Views<S extends Snapshot> {
  readonly take: () => Promise<S>
  readonly follow: () => Promise<unknown>
}

/** What `read` finds in a view; in another one where files of the first were replaced meanwhile. */
export async function readRedone<T, S extends Snapshot>(
  { take, follow }: Views<S>,
  read: (snapshot: S) => Promise<T>,
): Promise<T> {
  const once = async () => {
    await using snapshot = await take()
    try {
      return await read(snapshot)
    } catch (cause) {
      throw await replacedOr(cause, snapshot)
    }
  }
  return await retryIfReplaced(once, follow)
}

/** What `read` yields from a view; from another one where files of the first were replaced before anything was yielded. */
export async function* streamRedone<T, S extends Snapshot>(
  { take, follow }: Views<S>,
  read: (snapshot: S) => AsyncIterable<T>,
): AsyncGenerator<T> {
  for (let attempt = 1; ; attempt++) {
    await using snapshot = await take()
    let hasBegun = false
    try {
      for await (const some of read(snapshot)) {
        hasBegun = true
        yield some
      }
      return
    } catch (cause) {
      if (hasBegun) throw cause
      const failure = await replacedOr(cause, snapshot)
      if (!(failure instanceof FilesReplaced) || attempt >= limits.replacedReadsMax) throw failure
    }
    // What fails is reported where it occurs, and the next attempt fails as this one did.
    await follow().catch(() => {})
  }
}

/** The failure of a read as that of replaced files where `held`, which it read, has lost some; otherwise as it is. */
export async function replacedOr(cause: unknown, held: { wasReplaced(): Promise<boolean> }): Promise<unknown> {
  const mayBe = !(cause instanceof DomainError) || cause.type === 'DataDamaged'
  return mayBe && (await held.wasReplaced()) ? new FilesReplaced(cause) : cause
}
