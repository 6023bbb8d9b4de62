import { isJsonObject } from '../../lib/json-value.ts'
import { providerLimits } from '../../lib/limits/providers.ts'
import type { ProviderAnswer } from './model/completions.ts'

/**
 * A completion that cannot be sent: no key, unknown provider, invalid prompt. The response still
 * has status 200, with the message in `response.error`; nothing is recorded.
 */
export class CompletionRefused extends Error {
  override readonly name = 'CompletionRefused'
}

export function refuseCompletion(message: string): never {
  throw new CompletionRefused(message)
}

/** Why a provider request ended early. */
export type Interruption = 'left' | 'late' | 'stopping'

const interruptions: Readonly<Record<Interruption, (seconds: number) => string>> = {
  left: () => 'The client disconnected before the response was complete',
  late: (seconds) => `The provider did not respond completely within ${seconds} seconds`,
  stopping: () => 'The server was stopped before the response was complete',
}

/** Bodies of error responses, which the package `openai` gives only in parts, by their headers. */
const errorBodies = new WeakMap<Headers, string>()

/** Keeps the body of an error response for `answerIn`; the package gets it again. */
export async function keepErrorBody(response: Response): Promise<Response> {
  const text = await response.text()
  const { status, statusText, headers } = response
  const again = new Response(text, { status, statusText, headers })
  errorBodies.set(again.headers, text)
  return again
}

/** The provider's answer that a failure is about; undefined if there was none. */
export function answerIn(thrown: unknown, secret: string | undefined): ProviderAnswer | undefined {
  const { status, headers }: { status?: unknown; headers?: unknown } =
    typeof thrown === 'object' && thrown !== null ? thrown : {}
  if (typeof status !== 'number' || !(headers instanceof Headers)) return undefined
  const body = errorBodies.get(headers)
  if (body === undefined) return undefined
  return { status, retry_after_ms: retryAfterMs(headers), body: redactSecret(body, secret) }
}

/** Providers send milliseconds, seconds, or a date. */
function retryAfterMs(headers: Headers): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (exact >= 0) return exact
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

interface ProviderFailure {
  readonly status?: unknown
  readonly error?: unknown
  readonly message?: unknown
  readonly cause?: unknown
}

/**
 * Describes a provider failure for the caller, with `secret` removed in case the provider repeated
 * it.
 */
export function describeFailure(
  thrown: unknown,
  context: { provider: string; secret: string | undefined; interrupted: Interruption | undefined; timeoutMs: number },
): string {
  if (context.interrupted !== undefined) return interruptions[context.interrupted](context.timeoutMs / 1000)
  const text = messageOf(typeof thrown === 'object' && thrown !== null ? thrown : {}, context.provider)
  return redactSecret(text, context.secret)
}

/**
 * A provider's message for the caller: truncated, with the key removed in case the provider
 * repeated it.
 */
export function redactSecret(text: string, secret: string | undefined): string {
  const clean = secret === undefined ? text : text.replaceAll(secret, '…')
  return clean.slice(0, providerLimits.providerMessageCharsMax).toWellFormed()
}

function messageOf(failure: ProviderFailure, provider: string): string {
  const refusal = refusalIn(failure)
  if (refusal !== undefined) return refusal.message
  const { status, error, message } = failure
  if (typeof status === 'number') return `${provider} responded with status ${status}: ${errorText(error) ?? message}`
  if (error !== undefined && error !== null) return `${provider} returned an error: ${errorText(error) ?? message}`
  const isUnreachable = failure instanceof Error && failure.constructor.name.startsWith('APIConnection')
  return isUnreachable
    ? `Cannot connect to ${provider}${codeIn(failure)}`
    : `Invalid response from ${provider}: ${message}`
}

/** The address check fails inside the client, which wraps errors. */
function refusalIn(failure: ProviderFailure): CompletionRefused | undefined {
  if (failure instanceof CompletionRefused) return failure
  return failure.cause instanceof CompletionRefused ? failure.cause : undefined
}

/** Providers put the message into `error.message`, `message`, `error` or `detail`. */
export function errorText(error: unknown): string | undefined {
  if (typeof error === 'string') return error
  if (Array.isArray(error)) return errorText(error[0])
  if (!isJsonObject(error)) return undefined
  const { message, error: inner, detail } = error
  return errorText(message) ?? errorText(inner) ?? errorText(detail) ?? JSON.stringify(error)
}

function codeIn({ cause }: ProviderFailure): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' && /^\w+$/.test(code) ? ` (${code})` : ''
}
