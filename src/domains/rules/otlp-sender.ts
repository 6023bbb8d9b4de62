import { exportOutcome } from '../../formats/mapping/export/export-answer.ts'
import { type ExportedSpan, encodeExport } from '../../formats/mapping/export/otlp-span.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import { AddressRefused } from '../../runtime/outbound/guard-address.ts'
import type { GuardedAnswer, GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { ActionFailed } from './rule-secrets.ts'

/** Where spans are sent. */
export interface SpanReceiver {
  readonly url: string
  readonly headers: () => Promise<Readonly<Record<string, string>>>
}

/** Sends spans to a receiver of OTLP over HTTP. */
export class OtlpSender {
  private readonly requests: GuardedRequests
  private readonly receiver: SpanReceiver

  constructor(requests: GuardedRequests, receiver: SpanReceiver) {
    this.requests = requests
    this.receiver = receiver
  }

  /**
   * Sends spans; those that the receiver refuses are counted and left out.
   *
   * @returns the number of refused spans
   * @throws ActionFailed if they have to be sent again
   */
  async send(spans: readonly ExportedSpan[], signal: AbortSignal): Promise<number> {
    if (spans.length === 0) return 0
    const body = encodeExport(spans)
    if (body.byteLength > ruleLimits.forwardedBytesMax && spans.length > 1) return await this.sendHalves(spans, signal)
    const outcome = exportOutcome(await this.post(body, signal))
    switch (outcome.kind) {
      case 'accepted':
        return outcome.rejected
      case 'unacceptable':
        // One bad span must not stop all others.
        return spans.length === 1 ? 1 : await this.sendHalves(spans, signal)
      case 'later':
        await delay(outcome.waitSeconds * 1000, signal)
        throw new ActionFailed(outcome.message)
    }
  }

  private async sendHalves(spans: readonly ExportedSpan[], signal: AbortSignal): Promise<number> {
    const middle = Math.ceil(spans.length / 2)
    const first = await this.send(spans.slice(0, middle), signal)
    return first + (await this.send(spans.slice(middle), signal))
  }

  private async post(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<GuardedAnswer> {
    const headers = await this.receiver.headers()
    const timeout = AbortSignal.timeout(ruleLimits.forwardTimeoutMs)
    try {
      return await this.requests.post(this.receiver.url, {
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body,
        signal: AbortSignal.any([signal, timeout]),
        answerBytesMax: ruleLimits.forwardAnswerBytesMax,
      })
    } catch (cause) {
      if (cause instanceof AddressRefused) throw new ActionFailed(cause.message)
      // The runtimes word this differently, and their messages name internals.
      throw new ActionFailed(
        timeout.aborted ? 'The receiver did not respond in time' : 'Could not connect to the receiver',
      )
    }
  }
}
