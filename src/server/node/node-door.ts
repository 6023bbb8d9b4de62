import { toErrorResponse } from '../../domains/requests/index.ts'
import type { LeaseState } from '../../engine/lake/kept-lease.ts'
import { DomainError } from '../../lib/errors.ts'
import type { Fetch } from '../../runtime/http/http-listener.ts'
import type { Log } from '../../runtime/log.ts'

/** What a node of a lake is doing; public, so no internals. */
type Standing =
  | { readonly is: 'standby' | 'opening' | 'left'; readonly reason: string }
  | { readonly is: 'serving'; readonly fetch: Fetch; readonly lease: () => LeaseState }

/**
 * Entry point for requests to a node of a lake. A node that does not serve answers 503 with the
 * reason, so several nodes can listen, and a proxy finds the one that serves.
 */
export class NodeDoor {
  readonly toErrorResponse: (error: unknown) => Response
  private standing: Standing = {
    is: 'standby',
    reason: 'another node serves this lake; this one waits to take over',
  }

  constructor(log: Log) {
    this.toErrorResponse = (error) => toErrorResponse(error, log)
  }

  readonly fetch: Fetch = (request, client) => {
    const { standing } = this
    if (standing.is !== 'serving') return this.refuse(standing)
    const lease = standing.lease()
    if (lease === 'lost') return this.refuse({ is: 'left', reason: lostReason })
    // What it would read may be outdated. The answer to the next renewal is underway.
    if (lease === 'late') return this.refuse({ is: 'standby', reason: 'this node was paused, and asks for its lease' })
    return standing.fetch(request, client)
  }

  /** This node has the lease, and opens the tables. */
  open(): void {
    this.standing = { is: 'opening', reason: 'this node is taking over the lake, and opens its tables' }
  }

  serve(fetch: Fetch, lease: () => LeaseState): void {
    this.standing = { is: 'serving', fetch, lease }
  }

  leave(reason: string): void {
    this.standing = { is: 'left', reason }
  }

  private refuse({ is, reason }: { is: string; reason: string }): Response {
    return this.toErrorResponse(new DomainError('StoreUnavailable', reason, { extras: { status: is } }))
  }
}

export const lostReason = 'another node has taken the lake over'
