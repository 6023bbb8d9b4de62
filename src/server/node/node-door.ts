import { toErrorResponse } from '../../domains/requests/index.ts'
import { grpcFailureOf, grpcPaths } from '../../domains/telemetry/index.ts'
import type { LeaseState } from '../../engine/lake/kept-lease.ts'
import { DomainError } from '../../lib/errors.ts'
import type { GrpcApp } from '../../runtime/http/grpc-call.ts'
import type { Fetch } from '../../runtime/http/http-listener.ts'
import type { Log } from '../../runtime/log.ts'
import { delay } from '../../runtime/platform/event-loop.ts'

/** Why a node does not serve; public, so no internals. */
interface Refusal {
  readonly is: 'standby' | 'opening' | 'left'
  readonly reason: string
}

/** What a node serves. */
interface Served {
  readonly fetch: Fetch
  readonly grpc: GrpcApp
}

type Standing = Refusal | { readonly is: 'serving'; readonly app: Served; readonly lease: () => LeaseState }

/**
 * Entry point for requests to a node of a lake, over HTTP and gRPC. A node that does not serve
 * answers 503 or UNAVAILABLE with the reason, so several nodes can listen, and a proxy finds the
 * one that serves.
 */
export class NodeDoor {
  readonly toErrorResponse: (error: unknown) => Response
  readonly grpc: GrpcApp
  private standing: Standing = { is: 'standby', reason: otherServes }
  private underWay = 0
  private onDrained: () => void = () => {}

  constructor(log: Log) {
    this.toErrorResponse = (error) => toErrorResponse(error, log)
    this.grpc = {
      paths: grpcPaths,
      enter: async (request) => {
        const served = this.served()
        if ('grpc' in served) return await this.counted(served.grpc.enter(request))
        throw (await grpcFailureOf(errorOf(served), log)).failure
      },
    }
  }

  readonly fetch: Fetch = (request, client) => {
    const served = this.served()
    if (!('fetch' in served)) return this.toErrorResponse(errorOf(served))
    return this.counted(served.fetch(request, client))
  }

  /** This node waits for the lease. */
  wait(reason: string): void {
    this.standing = { is: 'standby', reason }
  }

  /** This node has the lease, and opens the tables. */
  open(): void {
    this.standing = { is: 'opening', reason: 'this node is taking over the lake, and opens its tables' }
  }

  serve(app: Served, lease: () => LeaseState): void {
    this.standing = { is: 'serving', app, lease }
  }

  leave(reason: string): void {
    this.standing = { is: 'left', reason }
  }

  /** Waits until all requests that were let in are answered, or have begun to be. */
  async drained(msMax: number): Promise<void> {
    if (this.underWay === 0) return
    const drained = new Promise<void>((resolve) => {
      this.onDrained = resolve
    })
    await Promise.race([drained, delay(msMax)])
  }

  private async counted<T>(answering: T | Promise<T>): Promise<T> {
    this.underWay++
    try {
      return await answering
    } finally {
      if (--this.underWay === 0) this.onDrained()
    }
  }

  private served(): Served | Refusal {
    const { standing } = this
    if (standing.is !== 'serving') return standing
    const lease = standing.lease()
    if (lease === 'lost') return { is: 'left', reason: lostReason }
    // What it would read may be outdated. The answer to the next renewal is underway.
    if (lease === 'late') return { is: 'standby', reason: 'this node was paused, and asks for its lease' }
    return standing.app
  }
}

const errorOf = ({ is, reason }: Refusal): DomainError =>
  new DomainError('StoreUnavailable', reason, { extras: { status: is } })

export const otherServes = 'another node serves this lake; this one waits to take over'
export const storeAway = 'the object store does not answer; this node waits for it, to serve or to be a standby'
export const handingOver = 'this node stops, and another one takes the lake over'
export const lostReason = 'another node has taken the lake over'
