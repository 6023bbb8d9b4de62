import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../foundation/access/caller.ts'
import { FileRequest } from '../../model/files.ts'
import { readChunks, sendableFile } from '../../platform/file-chunks.ts'
import type { Services } from '../../services.ts'
import { byteStream } from '../../wire/byte-stream.ts'
import { chooseRange } from './byte-range.ts'

const bytes = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }

export const fileContentRoute = {
  body: FileRequest,
  detail: {
    operationId: 'files.content',
    readOnly: true,
    summary: 'Download a file',
    description:
      'Returns the bytes as uploaded. Supports a single byte range in `Range`. The entity tag for ' +
      '`If-None-Match` and `If-Range` is the digest.',
    tags: ['Files'],
    responses: {
      200: { description: 'The whole file', content: bytes },
      206: { description: 'The requested range', content: bytes },
      304: { description: 'The client has the current content' },
      416: { description: 'The range lies outside the file' },
    },
  },
}

export async function fileContent(
  services: Services,
  caller: Caller,
  headers: Headers,
  { project_id, digest }: Static<typeof fileContentRoute.body>,
): Promise<Response> {
  const { path, bytes: length } = await services.files.locate(caller.read(project_id), digest)
  const etag = `"${digest}"`
  if (matches(headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers: { etag } })
  const range = [null, etag].includes(headers.get('if-range')) ? chooseRange(headers.get('range'), length) : undefined
  if (range === 'unsatisfiable') return outsideOf(length)
  const { from, to } = range ?? { from: 0, to: length }
  const body = sendableFile(path, from, to) ?? (await byteStream(readChunks(path, from, to), new AbortController()))
  return new Response(body, {
    status: range === undefined ? 200 : 206,
    headers: {
      etag,
      'accept-ranges': 'bytes',
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
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
