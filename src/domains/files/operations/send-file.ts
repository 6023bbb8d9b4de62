import type { StoredBlob } from '../../../engine/blobs/blob-store.ts'
import { byteStream } from '../../../formats/wire/byte-stream.ts'
import { readChunks, sendableFile } from '../../../runtime/platform/files/file-chunks.ts'

/** Bytes from `from` (inclusive) to `to` (exclusive). */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The single byte range requested by a `Range` header (RFC 9110, section 14). Undefined if there is
 * none, more than one, or an unknown unit; the whole content is returned then, as the standard
 * allows.
 */
function chooseRange(header: string | null, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '')
  if (asked === null) return undefined
  const [, first, last] = asked as unknown as [string, string, string]
  if (first === '') {
    if (last === '') return undefined
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'unsatisfiable' : { from: bytes - length, to: bytes }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return undefined
  if (from >= bytes) return 'unsatisfiable'
  return { from, to: last === '' ? bytes : Math.min(Number(last) + 1, bytes) }
}

/**
 * The response with a file or the range of it that the headers of the request ask for. The entity
 * tag is the digest.
 */
export async function sendFile(
  { path, bytes: length }: StoredBlob,
  digest: string,
  asked: Headers,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const etag = `"${digest}"`
  if (matches(asked.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { ...headers, etag } })
  const range = [null, etag].includes(asked.get('if-range')) ? chooseRange(asked.get('range'), length) : undefined
  if (range === 'unsatisfiable') return outsideOf(length)
  const { from, to } = range ?? { from: 0, to: length }
  const body = sendableFile(path, from, to) ?? (await byteStream(readChunks(path, from, to), new AbortController()))
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: {
      ...headers,
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(to - from),
      ...(range !== undefined && { 'content-range': `bytes ${from}-${to - 1}/${length}` }),
    },
  })
}

/** The range starts after the end; the header gives the actual size. */
function outsideOf(bytes: number): Response {
  const reason = `Range not satisfiable: the file has ${bytes} bytes`
  return Response.json(
    { reason, error_type: 'RangeNotSatisfiable' },
    { status: 416, headers: { 'content-range': `bytes */${bytes}` } },
  )
}

/** Whether an `If-None-Match` header matches the entity tag (RFC 9110, section 13.1.2). */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
