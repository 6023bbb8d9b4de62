import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { CallsQuery, FoundCall, FoundCalls } from '../../../../formats/schemas/calls.ts'
import { encodeArrow } from '../../../../formats/wire/arrow-stream.ts'
import { byteStream, encodeTexts, jsonMember } from '../../../../formats/wire/byte-stream.ts'
import { encodeSeparatedValues } from '../../../../formats/wire/separated-values.ts'
import { assertNever, DomainError, quoted } from '../../../../lib/errors.ts'
import type { Caller, ProjectReader } from '../../../access/index.ts'
import type { CallsRequest } from '../../plan.ts'
import type { CallsServices } from '../services.ts'

/** Media types of streamed calls; the first is the default. */
const formats = [
  'application/jsonl',
  'application/json',
  'text/csv',
  'text/tab-separated-values',
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
] as const
export type StreamFormat = (typeof formats)[number]

const otherNames: Readonly<Record<string, StreamFormat>> = {
  '*/*': 'application/jsonl',
  'application/*': 'application/jsonl',
  'text/*': 'text/csv',
  'application/x-ndjson': 'application/jsonl',
  'application/x-jsonlines': 'application/jsonl',
}

/**
 * The format requested by an `accept` header: the most preferred supported media type (RFC 9110,
 * section 12.5.1).
 *
 * @throws DomainError NotAcceptable listing the supported types
 */
function chooseFormat(accept: string | null): StreamFormat {
  if (accept === null || accept.trim() === '') return formats[0]
  const ranges = accept
    .split(',')
    .map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { name } of ranges) {
    const format = formats.find((known) => known === name) ?? otherNames[name]
    if (format !== undefined) return format
  }
  throw new DomainError(
    'NotAcceptable',
    `Unsupported accept header ${quoted(accept, 100)}; supported formats: ${formats.join(', ')}`,
    {
      extras: { formats },
    },
  )
}

const parquet = 'application/vnd.apache.parquet'

/** The response to a calls query in `format`; its status is decided before the first byte. */
export async function streamCalls(
  services: CallsServices,
  reader: ProjectReader,
  request: CallsRequest,
  format: StreamFormat,
  clientLeft: AbortSignal,
): Promise<Response> {
  const abort = new AbortController()
  clientLeft.addEventListener('abort', () => abort.abort(), { once: true })
  if (clientLeft.aborted) abort.abort()
  const pieces = await encode(services, reader, request, format, abort.signal)
  const shouldYield =
    format === parquet ? () => services.calls.reader.shouldYieldParquet() : services.streams.shouldYield
  return new Response(await byteStream(pieces, abort, shouldYield), {
    headers: { 'content-type': format },
  })
}

async function encode(
  services: CallsServices,
  reader: ProjectReader,
  request: CallsRequest,
  format: StreamFormat,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const calls = services.calls.reader
  switch (format) {
    case 'application/jsonl':
      return calls.jsonLinesBytes(reader, request, signal)
    case 'application/json':
      return encodeTexts(calls.jsonLines(reader, request, signal), jsonMember('calls'))
    case 'text/csv':
    case 'text/tab-separated-values': {
      const { columns, chunks } = await calls.table(reader, request, { humanReadable: true, signal })
      return encodeSeparatedValues(
        columns.map(({ name }) => name),
        chunks,
        format === 'text/csv' ? ',' : '\t',
      )
    }
    case 'application/vnd.apache.arrow.stream': {
      const { columns, chunks } = await calls.table(reader, request, { humanReadable: false, signal })
      return encodeArrow(columns, chunks)
    }
    case parquet:
      return calls.parquet(reader, request, signal)
    default:
      return assertNever(format)
  }
}

const description =
  'Returns all matching calls unless `limit` is given, oldest first unless `sort_by` is given; the order is ' +
  `total. The \`accept\` header selects the format: ${formats.join(', ')}. If a stream fails midway, the ` +
  'server drops the connection.'

const text = Type.String({ description: 'A header, then a row for each call' })
const bytes = Type.String({ format: 'binary' })
const schemas: Readonly<Record<StreamFormat, TSchema>> = {
  'application/jsonl': FoundCall,
  'application/json': FoundCalls,
  'text/csv': text,
  'text/tab-separated-values': text,
  'application/vnd.apache.arrow.stream': bytes,
  'application/vnd.apache.parquet': bytes,
}

export const streamQueryRoute = {
  body: CallsQuery,
  detail: {
    operationId: 'calls.streamQuery',
    readOnly: true,
    summary: 'Query calls (stream)',
    description,
    tags: ['Calls'],
    responses: {
      200: {
        description: 'Calls in the requested format; in JSON Lines, the schema is that of one line',
        content: Object.fromEntries(formats.map((format) => [format, { schema: schemas[format] }])),
      },
    },
  },
}

export const streamQuery = (
  services: CallsServices,
  caller: Caller,
  request: Request,
  body: Static<typeof streamQueryRoute.body>,
) =>
  streamCalls(services, caller.read(body.project_id), body, chooseFormat(request.headers.get('accept')), request.signal)
