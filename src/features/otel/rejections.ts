import { limits } from '../../limits.ts'
import type { RejectedSpans } from '../../wire/otlp/encode-response.ts'
import { type Span, type SpanGroup, type SpanIdentity, SpanUnreadable } from '../../wire/otlp/span.ts'

/** Rejected spans with reasons. Only the first reasons are kept. */
export class Rejections {
  private readonly reasons: string[] = []
  private count = 0

  /** @param span what is known of it */
  add(reason: string, span: SpanIdentity | undefined): void {
    this.count++
    if (this.reasons.length < limits.rejectionsNamedMax) this.reasons.push(`${nameOf(span)}: ${reason}`)
    else if (this.reasons.length === limits.rejectionsNamedMax) this.reasons.push('...')
  }

  /**
   * Rejects all spans of a group for the same reason. Spans that will not be named are not decoded.
   */
  addAll({ spans }: SpanGroup, reason: string): void {
    for (const decode of spans) {
      this.add(reason, this.reasons.length < limits.rejectionsNamedMax ? namingOf(decode) : undefined)
    }
  }

  get answer(): RejectedSpans | undefined {
    return this.count === 0 ? undefined : { count: this.count, message: this.reasons.join('; ') }
  }
}

function namingOf(decode: () => Span): SpanIdentity | undefined {
  try {
    return decode()
  } catch (error) {
    if (error instanceof SpanUnreadable) return error.span
    throw error
  }
}

function nameOf(span: SpanIdentity | undefined): string {
  if (span === undefined) return 'Unnamed span'
  const { name, traceId, spanId } = span
  return `Span "${name.slice(0, 128).toWellFormed()}" (trace ${traceId.slice(0, 64)}, span ${spanId.slice(0, 64)})`
}
