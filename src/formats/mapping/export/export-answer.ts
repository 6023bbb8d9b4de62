import { messages } from '../../wire/otlp/messages.ts'

/** How a receiver of an export answered. */
export type ExportOutcome =
  /** `rejected` spans were not accepted and should not be sent again. */
  | { readonly kind: 'accepted'; readonly rejected: number; readonly message: string }
  /** The receiver cannot accept these spans, at least not together. */
  | { readonly kind: 'unacceptable'; readonly message: string }
  /** To be sent again later. */
  | { readonly kind: 'later'; readonly message: string; readonly waitSeconds: number }

const unacceptable: ReadonlySet<number> = new Set([400, 413, 422])
const waitSecondsMax = 300

/**
 * Reads an answer to an export by the rules of OTLP/HTTP
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response). Answers that a change of the
 * configuration can mend, such as 401, are repeated, too.
 */
export function exportOutcome(answer: {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}): ExportOutcome {
  const { status, headers } = answer
  if (status >= 200 && status < 300) return { kind: 'accepted', ...partialSuccess(answer) }
  const message = `The receiver responded with status ${status}`
  if (unacceptable.has(status)) return { kind: 'unacceptable', message }
  const seconds = Number(headers.get('retry-after') ?? 0)
  return { kind: 'later', message, waitSeconds: Math.min(Math.max(seconds || 0, 0), waitSecondsMax) }
}

function partialSuccess({ headers, body }: { readonly headers: Headers; readonly body: Uint8Array }) {
  const none = { rejected: 0, message: '' }
  if (body.byteLength === 0 || !/protobuf/.test(headers.get('content-type') ?? '')) return none
  try {
    const { partialSuccess: partial } = messages.ExportResponse.decode(body)
    return partial ? { rejected: Number(partial.rejectedSpans), message: partial.errorMessage } : none
  } catch {
    // The status says that the spans were accepted.
    return none
  }
}

/** The address of traces at a receiver: a URL without a path is that of the receiver as a whole. */
export function tracesUrl(text: string): string {
  const url = new URL(text)
  if (url.pathname === '/') url.pathname = '/v1/traces'
  return url.href
}
