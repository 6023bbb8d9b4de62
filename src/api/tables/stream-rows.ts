import type { ProjectReader } from '../../foundation/access/caller.ts'
import type { TableRowsRequest } from '../../model/row-tables.ts'
import { rowTexts } from '../../records/row-tables/read-rows.ts'
import type { Services } from '../../services.ts'
import { byteStream } from '../../wire/byte-stream.ts'
import { encodeTexts, type Framing } from '../../wire/text-stream.ts'

/** Streams table rows as text; the status is decided before the first byte. */
export async function streamRows(
  services: Services,
  reader: ProjectReader,
  question: TableRowsRequest,
  framing: Framing,
  contentType: string,
): Promise<Response> {
  const abort = new AbortController()
  const batches = services.tables.reader.stream(reader, question, abort.signal)
  const texts = async function* () {
    for await (const rows of batches) yield rowTexts(rows)
  }
  const body = await byteStream(encodeTexts(texts(), framing), abort, services.streams.shouldYield)
  return new Response(body, { headers: { 'content-type': contentType } })
}
