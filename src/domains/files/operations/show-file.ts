import { type Static, Type } from '@sinclair/typebox'
import { RandomAccessFile } from '../../../runtime/platform/files/random-access-file.ts'
import type { Caller } from '../../access/caller.ts'
import { ProjectPath, projectOfPath } from '../../requests/project-path.ts'
import { mediaTypeOf, sniffedBytes } from './media-type.ts'
import { sendFile } from './send-file.ts'
import type { FilesServices } from './services.ts'

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
      'For images, audio and video in web pages. The type is told by the first bytes: PNG, JPEG, WebP, GIF, AVIF, ' +
      'WAV, MP3, Ogg, MP4 and WebM are shown, PDF and everything else is downloaded. Supports a single byte range in ' +
      '`Range`.',
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
  const type = await sniffed(file.path)
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

async function sniffed(path: string): Promise<string | undefined> {
  await using file = await RandomAccessFile.find(path)
  return file && mediaTypeOf(await file.read(0, sniffedBytes))
}
