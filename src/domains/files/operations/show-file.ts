import { type Static, Type } from '@sinclair/typebox'
import type { StoredBlob } from '../../../engine/blobs/blob-place.ts'
import { ProjectPath, projectOfPath } from '../../../formats/body/project-path.ts'
import { byteStream } from '../../../formats/wire/byte-stream.ts'
import type { Caller } from '../../access/index.ts'
import type { Files } from '../files.ts'

/** The services that these operations are given. */
export interface FilesServices {
  readonly files: Files
}

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
  const [isRange, first = '', last = ''] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (isRange === undefined) return undefined
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
  file: StoredBlob,
  digest: string,
  requested: Headers,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const { bytes: length } = file
  const etag = `"${digest}"`
  if (matches(requested.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { ...headers, etag } })
  const range = [null, etag].includes(requested.get('if-range'))
    ? chooseRange(requested.get('range'), length)
    : undefined
  if (range === 'unsatisfiable') return outsideOf(length)
  const { from, to } = range ?? { from: 0, to: length }
  const body = (await file.body(from, to)) ?? (await byteStream(file.read(from, to), new AbortController()))
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

/** A kind of content that browsers may show, recognized by its first bytes. */
interface Signature {
  readonly type: string
  /** Bytes (as Latin-1 text) at an offset; all must match. */
  readonly at: readonly (readonly [offset: number, text: string])[]
}

/** How many bytes `mediaTypeOf` needs. */
const sniffedBytes = 64

/** Types that files are served with; anything else is just bytes. None of them can run scripts. */
const signatures: readonly Signature[] = [
  { type: 'image/png', at: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', at: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', at: [[0, 'GIF87a']] },
  { type: 'image/gif', at: [[0, 'GIF89a']] },
  {
    type: 'image/webp',
    at: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  {
    type: 'audio/wav',
    at: [
      [0, 'RIFF'],
      [8, 'WAVE'],
    ],
  },
  ...['avif', 'avis'].map((brand) => ofBrand('image/avif', brand)),
  ...['M4A ', 'M4B '].map((brand) => ofBrand('audio/mp4', brand)),
  ...['isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V '].map((brand) =>
    ofBrand('video/mp4', brand),
  ),
  { type: 'audio/mpeg', at: [[0, 'ID3']] },
  // MPEG 1 and 2, layer III, with and without a checksum.
  ...['\xfb', '\xfa', '\xf3', '\xf2'].map((second): Signature => ({ type: 'audio/mpeg', at: [[0, `\xff${second}`]] })),
  { type: 'audio/ogg', at: [[0, 'OggS']] },
  { type: 'application/pdf', at: [[0, '%PDF-']] },
]

function ofBrand(type: string, brand: string): Signature {
  return {
    type,
    at: [
      [4, 'ftyp'],
      [8, brand],
    ],
  }
}

/** The type of a content by its first bytes; undefined unless it is in the list. */
export function mediaTypeOf(start: Uint8Array): string | undefined {
  const text = Array.from(start.subarray(0, sniffedBytes), (byte) => String.fromCharCode(byte)).join('')
  // The type of a Matroska file is at no fixed place in its header.
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.includes('webm') ? 'video/webm' : undefined
  return signatures.find(({ at }) => at.every(([offset, part]) => text.startsWith(part, offset)))?.type
}

const bytes = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } }

const FilePath = Type.Composite([
  ProjectPath,
  Type.Object({ digest: Type.String({ maxLength: 128, description: 'Digest of the file' }) }),
])

export const showFileRoute = {
  params: FilePath,
  detail: {
    operationId: 'files.show',
    readOnly: true,
    summary: 'Show a file',
    description:
      'For images, audio and video in web pages. The type is determined from the first bytes: PNG, JPEG, WebP, GIF, ' +
      'AVIF, WAV, MP3, Ogg, MP4 and WebM are shown, PDF and everything else is downloaded. Supports a single byte ' +
      'range in `Range`.',
    tags: ['Files'],
    responses: {
      200: { description: 'The whole file', content: bytes },
      206: { description: 'The requested range', content: bytes },
      304: { description: 'The client has the current content' },
      416: { description: 'The range lies outside the file' },
    },
  },
}

/** A content never changes, but a key may lose its access: caches ask again after an hour. */
const cacheControl = 'private, max-age=3600'

export async function showFile(
  services: FilesServices,
  caller: Caller,
  headers: Headers,
  { digest, ...path }: Static<typeof FilePath>,
): Promise<Response> {
  const file = await services.files.locate(caller.read(projectOfPath(path)), digest)
  const type = await sniffed(file)
  const isShown = type !== undefined && type !== 'application/pdf'
  return await sendFile(file, digest, headers, {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': isShown ? 'inline' : 'attachment',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': cacheControl,
  })
}

async function sniffed(file: StoredBlob): Promise<string | undefined> {
  for await (const start of file.read(0, Math.min(sniffedBytes, file.bytes))) return mediaTypeOf(start)
  return undefined
}
