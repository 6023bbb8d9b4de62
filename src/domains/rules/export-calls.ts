import { type CallToExport, callToSpan } from '../../formats/mapping/export/call-to-span.ts'
import type { ExportedSpan } from '../../formats/mapping/export/otlp-span.ts'
import { parseExactly } from '../../formats/wire/exact-json.ts'
import { ruleLimits } from '../../lib/limits/rules.ts'
import type { OutboundHttp } from '../../runtime/http/outbound-http.ts'
import type { GuardedRequests } from '../../runtime/outbound/guarded-requests.ts'
import { delay } from '../../runtime/platform/event-loop.ts'
import { OtlpSender, type SpanReceiver } from './otlp-sender.ts'
import { ActionFailed } from './rule-secrets.ts'

export interface ExportRequest {
  readonly from: { readonly url: string; readonly key: string; readonly http: OutboundHttp }
  readonly selection: { readonly project_id: string; readonly filter: unknown; readonly query: unknown }
  readonly requests: GuardedRequests
  readonly to: SpanReceiver
  readonly onProgress: (sent: number) => void
}

export interface ExportResult {
  readonly sent: number
  readonly refused: number
  /** Calls that were left out because they have not ended. */
  readonly running: number
}

/**
 * Sends the calls of a project of a server to a receiver of OTLP, in order of their start and with
 * constant memory.
 *
 * @throws Error if the server refuses the request, or the receiver does not accept the calls
 */
export async function exportCalls({ from, selection, requests, to, onProgress }: ExportRequest): Promise<ExportResult> {
  const sender = new OtlpSender(requests, to)
  let sent = 0
  let refused = 0
  let running = 0
  let lastStart: string | undefined
  let batch: ExportedSpan[] = []
  const send = async () => {
    const rejected = await sendPatiently(sender, batch)
    refused += rejected
    sent += batch.length - rejected
    batch = []
    onProgress(sent)
  }
  try {
    for await (const call of callsOf(from, selection)) {
      const { ended_at } = call
      if (ended_at === null) {
        running++
        continue
      }
      if (batch.length === 0) lastStart = call.started_at
      batch.push(callToSpan({ ...call, ended_at }))
      if (batch.length >= ruleLimits.forwardedTogether) await send()
    }
    await send()
  } catch (cause) {
    const where = sent === 0 ? '' : `; ${sent} calls were sent, continue with --since ${lastStart}`
    throw new Error(`Export: ${cause instanceof Error ? cause.message : cause}${where}`, { cause })
  }
  return { sent, refused, running }
}

async function sendPatiently(sender: OtlpSender, batch: readonly ExportedSpan[]): Promise<number> {
  for (let failures = 0; ; failures++) {
    try {
      return await sender.send(batch, new AbortController().signal)
    } catch (cause) {
      if (!(cause instanceof ActionFailed) || failures + 1 >= ruleLimits.exportAttemptsMax) throw cause
      await delay(ruleLimits.ruleRetryMs * 2 ** failures)
    }
  }
}

type StreamedCall = Omit<CallToExport, 'ended_at'> & { readonly ended_at: string | null }

const streamedCall = (line: string) => parseExactly(line) as StreamedCall

async function* callsOf(
  { url, key, http }: ExportRequest['from'],
  selection: ExportRequest['selection'],
): AsyncGenerator<StreamedCall> {
  const response = await http.fetch(`${url}/calls/stream_query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/jsonl' },
    body: JSON.stringify({ ...selection, sort_by: [{ field: 'started_at', direction: 'asc' }] }),
  })
  if (!response.ok || response.body === null) {
    throw new Error(
      `Cannot read the calls: the server responded with status ${response.status}: ${await response.text()}`,
    )
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of response.body) {
    const text = rest + decoder.decode(piece, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    for (const line of text.slice(0, end).split('\n')) if (line !== '') yield streamedCall(line)
  }
  if (rest !== '') yield streamedCall(rest)
}
