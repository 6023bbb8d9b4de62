import { DomainError, quoted } from '../../../../lib/errors.ts'

/** Media types of streamed calls; the first is the default. */
export const formats = [
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
export function chooseFormat(accept: string | null): StreamFormat {
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
