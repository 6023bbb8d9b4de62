import { BoundedMap } from '../../kernel/bounded-map.ts'
import { limits } from '../../limits.ts'

/**
 * What was put in the place of feedback, as far as is remembered: requests that replace the same feedback, one beside the other or once
 * more, then leave one in its place instead of one each.
 */
export class Successors {
  /** Id by project and id. */
  private readonly known = new BoundedMap<string, string>(limits.replacedFeedbackKept)

  /** The feedback itself and all that has taken its place, one after the other. */
  chainOf(projectId: string, id: string): string[] {
    const chain = [id]
    for (let next = this.get(projectId, id); next !== undefined; next = this.get(projectId, next)) chain.push(next)
    return chain
  }

  /** Notes that `id` is in the place of all of the chain. */
  note(projectId: string, chain: readonly string[], id: string): void {
    // What is there now has no successor, so no chain leads back to itself.
    this.known.delete(keyOf(projectId, id))
    for (const former of chain) {
      if (former !== id) this.known.set(keyOf(projectId, former), id)
    }
  }

  /** Feedback that is there again under its own id has no successor. */
  forget(projectId: string, id: string): void {
    this.known.delete(keyOf(projectId, id))
  }

  private get(projectId: string, id: string): string | undefined {
    return this.known.get(keyOf(projectId, id))
  }
}

const keyOf = (projectId: string, id: string): string => `${projectId}\n${id}`
