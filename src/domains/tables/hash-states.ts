import { BoundedMap } from '../../lib/bounded-map.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { tableDigestOfHash } from '../../runtime/digest.ts'
import { Sha256 } from '../../runtime/platform/crypto.ts'
import { yieldToEventLoop } from '../../runtime/platform/event-loop.ts'

/**
 * Cached hash states of tables, so that a table that grows request by request gets its digest
 * without being reread. Only the most recent ones are kept.
 */
export class HashStates {
  private readonly states = new BoundedMap<string, Sha256>(requestLimits.tableHashesKept)

  /** The hash state at the end of the table, if cached. */
  find(tableDigest: string): Sha256 | undefined {
    return this.states.get(tableDigest)?.copy()
  }

  /** The digest of the table that ends at the hash state. */
  finish(hash: Sha256): string {
    const digest = tableDigestOfHash(hash.copy().digest())
    this.states.set(digest, hash)
    return digest
  }
}

/** Continues a hash over digests, yielding to other requests. */
export async function hashOf(digests: readonly string[], before = new Sha256()): Promise<Sha256> {
  for (let from = 0; from < digests.length; from += requestLimits.digestsTogether) {
    if (from > 0) await yieldToEventLoop()
    before.update(digests.slice(from, from + requestLimits.digestsTogether).join(''))
  }
  return before
}
