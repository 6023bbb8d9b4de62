import { encodeArrow } from '../../../../formats/wire/arrow-stream.ts'
import { byteStream } from '../../../../formats/wire/byte-stream.ts'
import { encodeSeparatedValues } from '../../../../formats/wire/separated-values.ts'
import { encodeTexts, jsonMember } from '../../../../formats/wire/text-stream.ts'
import { assertNever } from '../../../../lib/errors.ts'
import type { ProjectReader } from '../../../access/index.ts'
import type { CallsRequest } from '../../plan.ts'
import type { CallsServices } from '../services.ts'
import type { StreamFormat } from './stream-format.ts'

const parquet = 'application/vnd.apache.parquet'

/** The response to a calls query in `format`; its status is decided before the first byte. */
export async function streamCalls(
  services: CallsServices,
  reader: ProjectReader,
  question: CallsRequest,
  format: StreamFormat,
  clientLeft: AbortSignal,
): Promise<Response> {
  const abort = new AbortController()
  clientLeft.addEventListener('abort', () => abort.abort(), { once: true })
  if (clientLeft.aborted) abort.abort()
  const pieces = await encode(services, reader, question, format, abort.signal)
  const shouldYield =
    format === parquet ? () => services.calls.reader.shouldYieldParquet() : services.streams.shouldYield
  return new Response(await byteStream(pieces, abort, shouldYield), {
    headers: { 'content-type': format },
  })
}

async function encode(
  services: CallsServices,
  reader: ProjectReader,
  question: CallsRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const calls = services.calls.reader
  switch (format) {
    case 'application/jsonl':
      return calls.jsonLinesBytes(reader, question, signal)
    case 'application/json':
      return encodeTexts(calls.jsonLines(reader, question, signal), jsonMember('calls'))
    case 'text/csv':
    case 'text/tab-separated-values': {
      const { columns, chunks } = await calls.table(reader, question, { humanReadable: true, signal })
      return encodeSeparatedValues(
        columns.map(({ name }) => name),
        chunks,
        format === 'text/csv' ? ',' : '\t',
      )
    }
    case 'application/vnd.apache.arrow.stream': {
      const { columns, chunks } = await calls.table(reader, question, { humanReadable: false, signal })
      return encodeArrow(columns, chunks)
    }
    case parquet:
      return calls.parquet(reader, question, signal)
    default:
      return assertNever(format)
  }
}
