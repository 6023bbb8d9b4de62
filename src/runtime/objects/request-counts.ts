export type RequestKind = 'get' | 'head' | 'put' | 'delete' | 'list'

interface KindCounts {
  requests: number
  /** Requests that failed or got no answer. */
  failures: number
  sentBytes: number
  receivedBytes: number
}

const none = (): KindCounts => ({ requests: 0, failures: 0, sentBytes: 0, receivedBytes: 0 })

/** Requests to an object store since the start. Each attempt counts, as in the bill. */
export class RequestCounts {
  readonly byKind: Readonly<Record<RequestKind, KindCounts>> = {
    get: none(),
    head: none(),
    put: none(),
    delete: none(),
    list: none(),
  }

  add(kind: RequestKind, { sent = 0, received = 0, isFailure = false }): void {
    const counts = this.byKind[kind]
    counts.requests++
    if (isFailure) counts.failures++
    counts.sentBytes += sent
    counts.receivedBytes += received
  }
}
