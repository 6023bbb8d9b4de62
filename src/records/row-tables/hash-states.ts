import { BoundedMap } from '../../kernel/bounded-map.ts'
import { tableDigestOfHash } from '../../kernel/digest.ts'
import { limits } from '../../limits.ts'
import { Sha256 } from '../../platform/crypto.ts'
import { yieldToEventLoop } from '../../platform/event-loop.ts'

/**
 * Hashes of tables that can be carried on: a table that grows request by request gets its digest without being read again. Only the most
 * recent ones are remembered.
 */
export class HashStates {
  private readonly states = new BoundedMap<string, Sha256>(limits.tableHashesKept)

  /** A hash that stands at the end of the table, to be carried on. */
  find(tableDigest: string): Sha256 | undefined {
    return this.states.get(tableDigest)?.copy()
  }

  /** The digest of the table at whose end the hash stands. */
  finish(hash: Sha256): string {
    const digest = tableDigestOfHash(hash.copy().digest())
    this.states.set(digest, hash)
    return digest
  }
}

/** Carries a hash on over digests; others have their turn in between. */
export async function hashOf(digests: readonly string[], before = new Sha256()): Promise<Sha256> {
  for (let from = 0; from < digests.length; from += limits.digestsTogether) {
    if (from > 0) await yieldToEventLoop()
    before.update(digests.slice(from, from + limits.digestsTogether).join(''))
  }
  return before
}
