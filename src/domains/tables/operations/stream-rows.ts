import { byteStream } from '../../../formats/wire/byte-stream.ts'
import { encodeTexts, type Framing } from '../../../formats/wire/text-stream.ts'
import type { ProjectReader } from '../../access/caller.ts'
import type { TableRowsRequest } from '../model/row-tables.ts'
import { rowTexts } from '../read-rows.ts'
import type { TablesServices } from './services.ts'

/** Streams table rows as text; the status is decided before the first byte. */
export async function streamRows(
  services: TablesServices,
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
