import type { Static } from '@sinclair/typebox'
import type { Caller } from '../../access/caller.ts'
import { FileRequest } from '../model/files.ts'
import { sendFile } from './send-file.ts'
import type { FilesServices } from './services.ts'

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
  services: FilesServices,
  caller: Caller,
  headers: Headers,
  { project_id, digest }: Static<typeof fileContentRoute.body>,
): Promise<Response> {
  const file = await services.files.locate(caller.read(project_id), digest)
  return await sendFile(file, digest, headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  })
}
