import type { RejectedItems } from '../../formats/wire/otlp/encode-response.ts'
import { type SpanIdentity, SpanUnreadable } from '../../formats/wire/otlp/span.ts'
import { telemetryLimits } from '../../lib/limits/telemetry.ts'

/** Rejected spans or log records with reasons. Only the first reasons are kept. */
export class Rejections {
  private readonly reasons: string[] = []
  private count = 0

  /** @param item what it is called in the message */
  add(reason: string, item: string): void {
    this.count++
    if (this.reasons.length < telemetryLimits.rejectionsNamedMax) this.reasons.push(`${item}: ${reason}`)
    else if (this.reasons.length === telemetryLimits.rejectionsNamedMax) this.reasons.push('...')
  }

  /**
   * Rejects all items of a group for the same reason. Items that will not be named are not decoded.
   */
  addAll<Item>(items: readonly (() => Item)[], reason: string, nameOf: (decode: () => Item) => string): void {
    for (const decode of items) {
      this.add(reason, this.reasons.length < telemetryLimits.rejectionsNamedMax ? nameOf(decode) : '')
    }
  }

  get answer(): RejectedItems | undefined {
    return this.count === 0 ? undefined : { count: this.count, message: this.reasons.join('; ') }
  }
}

/** The name of a span for error messages, even if the span cannot be decoded. */
export function nameOfEncoded(decode: () => SpanIdentity): string {
  try {
    return nameOfSpan(decode())
  } catch (error) {
    if (error instanceof SpanUnreadable) return nameOfSpan(error.span)
    throw error
  }
}

/** @param span what is known of it */
export function nameOfSpan(span: SpanIdentity | undefined): string {
  if (span === undefined) return 'Unnamed span'
  const { name, traceId, spanId } = span
  return `Span "${name.slice(0, 128).toWellFormed()}" (trace ${traceId.slice(0, 64)}, span ${spanId.slice(0, 64)})`
}
