import { concatBytes } from '../../lib/bytes.ts'
import { type OutboundHttp, systemOutboundHttp } from '../http/outbound-http.ts'
import { guardAddress } from './guard-address.ts'

const names = { url: 'URL', host: 'host' }

/** A response whose body has been read, as far as it is of interest. */
export interface GuardedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Requests to addresses that users name, which must be public unless the operator allows them. */
export class GuardedRequests {
  private readonly privateHosts: readonly string[]
  private readonly outgoing: OutboundHttp

  constructor(options: { privateHosts: readonly string[]; outgoing?: OutboundHttp }) {
    this.privateHosts = options.privateHosts
    this.outgoing = options.outgoing ?? systemOutboundHttp
  }

  /** Checks an address without contacting it. @throws AddressRefused */
  async check(url: string): Promise<void> {
    await this.guard(url)
  }

  /**
   * Sends a request. Redirects are not followed: they could lead to an unchecked address.
   *
   * @param request `answerBytesMax` of the response are read. The rest is discarded, and so is what
   *   arrives later than `answerMsMax`
   * @throws AddressRefused; Error if there is no response
   */
  async post(
    url: string,
    request: {
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array<ArrayBuffer>
      readonly signal: AbortSignal
      readonly answerBytesMax: number
      readonly answerMsMax?: number
    },
  ): Promise<GuardedAnswer> {
    const { headers, body, signal, answerBytesMax, answerMsMax } = request
    const addresses = await this.guard(url)
    const init = { method: 'POST', headers: { 'user-agent': 'tracelake', ...headers }, body, signal }
    const response = await (addresses ? this.outgoing.fetchAt(addresses, url, init) : this.outgoing.fetch(url, init))
    return {
      status: response.status,
      headers: response.headers,
      body: await firstBytes(response, answerBytesMax, answerMsMax),
    }
  }

  private guard(url: string): Promise<readonly string[] | undefined> {
    const { privateHosts, outgoing } = this
    return guardAddress(url, { privateHosts, names, resolve: (host) => outgoing.resolve(host) })
  }
}

async function firstBytes({ body }: Response, bytesMax: number, msMax?: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  // What is being read ends as if the body did.
  const timer = msMax === undefined ? undefined : setTimeout(() => void reader.cancel().catch(() => {}), msMax)
  try {
    while (bytes < bytesMax) {
      const { value, done } = await reader.read()
      if (done) break
      pieces.push(value)
      bytes += value.byteLength
    }
  } finally {
    clearTimeout(timer)
  }
  await reader.cancel()
  return concatBytes(pieces).subarray(0, bytesMax)
}
