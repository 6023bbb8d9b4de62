import { BoundedMap } from '../../lib/bounded-map.ts'
import { limits } from '../../lib/limits.ts'

/**
 * Remembers which feedback replaced which, so that requests that replace the same feedback,
 * concurrently or repeatedly, leave one replacement instead of one each.
 */
export class Successors {
  /** Id by project and id. */
  private readonly known = new BoundedMap<string, string>(limits.replacedFeedbackKept)

  /** The feedback itself and all its successors. */
  chainOf(projectId: string, id: string): string[] {
    const chain = [id]
    for (let next = this.get(projectId, id); next !== undefined; next = this.get(projectId, next)) chain.push(next)
    return chain
  }

  /** Records that `id` has replaced everything in the chain. */
  note(projectId: string, chain: readonly string[], id: string): void {
    // Existing feedback has no successor, so no chain leads back to itself.
    this.known.delete(keyOf(projectId, id))
    for (const former of chain) {
      if (former !== id) this.known.set(keyOf(projectId, former), id)
    }
  }

  /** Feedback that exists again under its own id has no successor. */
  forget(projectId: string, id: string): void {
    this.known.delete(keyOf(projectId, id))
  }

  private get(projectId: string, id: string): string | undefined {
    return this.known.get(keyOf(projectId, id))
  }
}

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`
