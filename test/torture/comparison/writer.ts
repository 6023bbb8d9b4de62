import { exportOf, groupOf, newTraceId, spanOf, toProtobuf } from '../../conformance/support/otlp.ts'
import type { ComparedServer } from './server.ts'

const spansPerExport = 20
/** Makes an export of 20 spans about 17 KB long. */
const text = 'The quick brown fox jumps over the lazy dog. '.repeat(15)

/** One export: a trace with the ids of its spans. */
export interface SentTrace {
  readonly trace: string
  readonly spans: readonly string[]
}

/** Sends exports one after the other until the server is gone. Returns those it acknowledged. */
export async function writeUntilGone(server: ComparedServer): Promise<SentTrace[]> {
  const acknowledged: SentTrace[] = []
  for (;;) {
    const trace = newTraceId()
    const spans = Array.from({ length: spansPerExport }, () =>
      spanOf({ traceId: trace, name: 'chat', attributes: { input: text } }),
    )
    const isTaken = await server.send(toProtobuf(exportOf(groupOf(spans, { 'service.name': 'kills' }))))
    if (isTaken === undefined) return acknowledged
    if (!isTaken) throw new Error('The server refused an export')
    acknowledged.push({ trace, spans: spans.map(({ spanId }) => String(spanId)) })
  }
}

/** How many spans of a trace are not in an answer, however it writes their ids. */
export function missingIn(answer: string, { spans }: SentTrace): number {
  const folded = answer.toLowerCase()
  return spans.filter((id) => !folded.includes(id) && !answer.includes(Uint8Array.fromHex(id).toBase64())).length
}
