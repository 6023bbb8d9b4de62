import type OpenAI from 'openai'
import { MiB } from '../../lib/bytes.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import type { OutboundHttp } from '../../runtime/http/outbound-http.ts'
import { AddressRefused, type AddressRules, guardAddress } from '../../runtime/outbound/guard-address.ts'
import type { Endpoint } from './endpoint.ts'
import { CompletionRefused, keepErrorBody, refuseCompletion } from './provider-error.ts'

const names = { url: 'base URL', host: 'provider host' }

/**
 * Checks the address of a custom provider; see `guardAddress`. @throws CompletionRefused
 */
async function guardProvider(
  address: string,
  rules: Omit<AddressRules, 'names'>,
): Promise<readonly string[] | undefined> {
  try {
    return await guardAddress(address, { ...rules, names })
  } catch (cause) {
    throw cause instanceof AddressRefused ? new CompletionRefused(cause.message) : cause
  }
}

type Json = Record<string, unknown>

interface SendOptions {
  readonly signal: AbortSignal
  /** Whether to repeat the request after errors that may pass; true unless stated. */
  readonly retries?: boolean
}

/**
 * HTTP client for OpenAI-compatible providers: retries transient failures, reads event streams,
 * limits response sizes.
 */
export class ProviderClient {
  private readonly privateHosts: readonly string[]
  private readonly outgoing: OutboundHttp

  /** @param options `privateHosts` may be contacted although they are private */
  constructor(options: { privateHosts: readonly string[]; outgoing: OutboundHttp }) {
    this.privateHosts = options.privateHosts
    this.outgoing = options.outgoing
  }

  /** Checks the address before anything is recorded. @throws CompletionRefused */
  async requireAllowed({ isTrusted, baseUrl }: Endpoint): Promise<void> {
    if (!isTrusted) await this.guard(baseUrl)
  }

  /**
   * A single response. Throws the errors of the package `openai`, and CompletionRefused for a
   * forbidden address.
   */
  async post(endpoint: Endpoint, path: string, body: Json, { signal, retries = true }: SendOptions): Promise<unknown> {
    const client = await this.open(endpoint)
    return await client.post<unknown>(path, { body, signal, ...(!retries && { maxRetries: 0 }) })
  }

  /** The chunks of a streamed response. Leaving the loop aborts the request. */
  async *stream(endpoint: Endpoint, path: string, body: Json, options: SendOptions): AsyncGenerator<Json> {
    const { signal, retries = true } = options
    const client = await this.open(endpoint)
    const chunks = await client.post<AsyncIterable<Json>>(path, {
      body,
      signal,
      stream: true,
      ...(!retries && { maxRetries: 0 }),
    })
    yield* chunks
  }

  /**
   * Downloads from an address given by a provider, which is never trusted. @throws
   * CompletionRefused, Error
   */
  async download(url: string, signal: AbortSignal): Promise<Uint8Array> {
    const response = bounded(await this.fetchGuarded(url, { signal }))
    if (response.status !== 200) throw new Error(`downloading an image failed with status ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Imported at the first completion, so that other servers start faster. */
  private async open(endpoint: Endpoint): Promise<OpenAI> {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: endpoint.baseUrl,
      // Neither this key nor one found by the package in environment variables is sent: `send`
      // writes the headers itself.
      apiKey: 'unused',
      organization: null,
      project: null,
      adminAPIKey: null,
      defaultQuery: endpoint.query,
      timeout: providerLimits.completionTimeoutMaxMs,
      maxRetries: providerLimits.completionRetriesMax,
      logLevel: 'off',
      fetch: (url, init) => this.send(endpoint, String(url), init ?? {}),
    })
  }

  private async send(endpoint: Endpoint, url: string, init: RequestInit): Promise<Response> {
    const request = { ...init, headers: headersFor(endpoint, new Headers(init.headers)) }
    const response = await (endpoint.isTrusted ? this.outgoing.fetch(url, request) : this.fetchGuarded(url, request))
    if (response.status >= 300 && response.status < 400) return refusedRedirect(response)
    return response.ok ? bounded(response) : await keepErrorBody(bounded(response))
  }

  /** Resolves the name once, checks the addresses, and connects to one of them. */
  private async fetchGuarded(url: string, init: RequestInit): Promise<Response> {
    const addresses = await this.guard(url)
    return await (addresses ? this.outgoing.fetchAt(addresses, url, init) : this.outgoing.fetch(url, init))
  }

  private guard(url: string): Promise<readonly string[] | undefined> {
    const { privateHosts, outgoing } = this
    return guardProvider(url, { privateHosts, resolve: (host) => outgoing.resolve(host) })
  }
}

function headersFor({ headers, key, keyHeader }: Endpoint, made: Headers): Record<string, string> {
  const credentials = key === undefined ? {} : { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }
  return {
    'content-type': 'application/json',
    accept: made.get('accept') ?? 'application/json',
    'user-agent': 'tracelake',
    ...credentials,
    ...headers,
  }
}

/**
 * A redirect could lead to an unchecked address, together with the key. The header keeps the
 * package from retrying.
 */
async function refusedRedirect(response: Response): Promise<Response> {
  await response.body?.cancel()
  return Response.json(
    { error: { message: `The provider responded with a redirect (${response.status}); redirects are not followed` } },
    { status: 421, headers: { 'x-should-retry': 'false' } },
  )
}

/** Limits the size of a response. Data received before a failure is not lost. */
function bounded(response: Response): Response {
  if (response.body === null) return response
  const reader = response.body.getReader()
  let bytes = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) return controller.close()
        bytes += value.byteLength
        if (bytes > providerLimits.completionAnswerBytesMax) {
          await reader.cancel()
          refuseCompletion(
            `The response of the provider exceeds the limit of ${providerLimits.completionAnswerBytesMax / MiB} MiB`,
          )
        }
        controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
