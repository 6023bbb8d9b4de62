import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'
import { violationsOf } from '../../../formats/body/violations.ts'
import { OpenObject } from '../../../formats/schemas/members.ts'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { requestLimits } from '../../../lib/limits/requests.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import type { Config } from '../../../runtime/config/configuration.ts'
import type { Form } from '../../../runtime/http/multipart.ts'
import type { Caller } from '../../access/index.ts'
import { describeFileForm, fileMissing, requestContext, withFileForm } from '../../requests/index.ts'
import { unnamedFile } from '../files.ts'
import { type FilesServices, sendFile, showFile, showFileRoute } from './show-file.ts'

const digest = Type.String({ description: 'SHA-256 of the bytes, as 43 letters and digits' })

const FileReceipt = Type.Object({ digest })

const FileRequest = OpenObject({ project_id: ProjectId, digest: Type.String({ maxLength: 128 }) })

const FilesStats = Type.Object({
  total_size_bytes: Type.Integer({ description: 'Total size of the distinct files of the project' }),
})

const Fields = Type.Object({
  project_id: ProjectId,
  expected_digest: Type.Optional(
    Type.String({ description: 'Digest computed by the client; a mismatch is rejected with 409' }),
  ),
})

const createFileRoute = {
  response: { 200: FileReceipt },
  detail: {
    operationId: 'files.create',
    summary: 'Upload a file',
    description:
      'The upload is streamed, so files may be larger than other request bodies (up to ' +
      '`TRACELAKE_MAX_FILE_MB`). Files are content-addressed: identical bytes are one file, whatever their ' +
      'name.',
    tags: ['Files'],
    requestBody: describeFileForm(Fields.properties, ['project_id']),
    responses: { 409: { description: 'The content does not match the expected digest' } },
  },
}

/** Stores the file before the project is known: the fields of a form may come in any order. */
async function createFile(
  { files }: FilesServices,
  caller: Caller,
  request: Request,
  fileBytesMax: number,
): Promise<Static<typeof FileReceipt>> {
  caller.requireRole('write')
  const { formFieldBytesMax: fieldBytesMax } = requestLimits
  const options = {
    fileBytesMax,
    fieldBytesMax,
    receive: (pieces: AsyncIterable<Uint8Array>) => files.receive(pieces),
    discard: (blob: Awaited<ReturnType<typeof files.receive>>) => files.discard(blob),
  }
  return await withFileForm(request, options, async (form) => {
    const { members, file: blob } = checked(form)
    const { project_id, expected_digest } = members
    const writer = caller.write(project_id)
    if (expected_digest && expected_digest !== blob.digest) {
      throw new DomainError(
        'DigestMismatch',
        `\`expected_digest\` does not match: the digest of the file is ${blob.digest}`,
      )
    }
    await files.create(writer, [{ blob, name: form.fileName || unnamedFile }])
    return { digest: blob.digest }
  })
}

function checked<File>({ fields, file }: Form<File>): { members: Static<typeof Fields>; file: File } {
  const members: unknown = Object.fromEntries(fields)
  if (file !== undefined && Value.Check(Fields, members)) return { members, file }
  const violations = violationsOf(Fields, members, 'body')
  if (file === undefined) violations.push(fileMissing)
  throw new ValidationError(violations)
}

const bytes = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }

const fileContentRoute = {
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

async function fileContent(
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

const filesStatsRoute = {
  body: OpenObject({ project_id: ProjectId }),
  response: { 200: FilesStats },
  detail: {
    operationId: 'files.stats',
    readOnly: true,
    summary: 'Get the total file size of a project',
    tags: ['Files'],
  },
}

async function filesStats(services: FilesServices, caller: Caller, body: Static<typeof filesStatsRoute.body>) {
  return { total_size_bytes: await services.files.totalBytes(caller.read(body.project_id)) }
}

/** Operations whose body is a form, which their handlers read themselves. */
export const formPaths: ReadonlySet<string> = new Set(['/file/create', '/files/create'])

const hidden = <Route extends { detail: object }>(route: Route) => ({
  ...route,
  detail: { ...route.detail, hide: true },
})

/** File operations. The Python client uses the paths under `/files/`. */
export const filesApi = (services: FilesServices, { fileBytesMax }: Config) =>
  new Elysia({ normalize: false })
    .decorate(requestContext)
    .post('/file/create', ({ caller, request }) => createFile(services, caller, request, fileBytesMax), createFileRoute)
    .post(
      '/files/create',
      ({ caller, request }) => createFile(services, caller, request, fileBytesMax),
      hidden(createFileRoute),
    )
    .post(
      '/file/content',
      ({ caller, request, body }) => fileContent(services, caller, request.headers, body),
      fileContentRoute,
    )
    .post(
      '/files/content',
      ({ caller, request, body }) => fileContent(services, caller, request.headers, body),
      hidden(fileContentRoute),
    )
    .get(
      '/files/:entity/:project/:digest',
      ({ caller, request, params }) => showFile(services, caller, request.headers, params),
      showFileRoute,
    )
    .post('/files/query_stats', ({ caller, body }) => filesStats(services, caller, body), filesStatsRoute)
    .post('/files/stats', ({ caller, body }) => filesStats(services, caller, body), hidden(filesStatsRoute))
