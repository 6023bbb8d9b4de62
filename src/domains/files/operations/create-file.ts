import { type Static, Type } from '@sinclair/typebox'
import { DomainError, ValidationError } from '../../../lib/errors.ts'
import { limits, MiB } from '../../../lib/limits.ts'
import { ProjectId } from '../../../lib/project-id.ts'
import { type Form, readForm } from '../../../runtime/http/multipart.ts'
import type { Caller } from '../../access/caller.ts'
import { bodyPace } from '../../requests/request-body.ts'
import { violationsOf } from '../../requests/violations.ts'
import { unnamedFile } from '../files.ts'
import { FileReceipt } from '../model/files.ts'
import type { FilesServices } from './services.ts'

const Fields = Type.Object({
  project_id: ProjectId,
  expected_digest: Type.Optional(
    Type.String({ description: 'Digest computed by the client; a mismatch is rejected with 409' }),
  ),
})

const formSchema = {
  type: 'object' as const,
  required: ['project_id', 'file'],
  properties: { ...Fields.properties, file: { type: 'string' as const, format: 'binary' } },
}

export const createFileRoute = {
  response: { 200: FileReceipt },
  detail: {
    operationId: 'files.create',
    summary: 'Upload a file',
    description:
      'The upload is streamed, so files may be larger than other request bodies (up to ' +
      '`TRACELAKE_MAX_FILE_MB`). Files are content-addressed: identical bytes are one file, whatever their ' +
      'name.',
    tags: ['Files'],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: formSchema } } },
    responses: { 409: { description: 'The content does not match the expected digest' } },
  },
}

/** Stores the file before the project is known: the fields of a form may come in any order. */
export async function createFile(
  { files }: FilesServices,
  caller: Caller,
  request: Request,
  fileBytesMax: number,
): Promise<Static<typeof FileReceipt>> {
  caller.requireRole('write')
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > fileBytesMax + limits.formOverheadBytesMax) {
    throw new DomainError('RequestTooLarge', `The file exceeds the limit of ${fileBytesMax / MiB} MiB`)
  }
  const received: Awaited<ReturnType<typeof files.receive>>[] = []
  try {
    const form = await readForm(request, {
      pace: bodyPace,
      fileMember: 'file',
      fileBytesMax,
      formBytesMax: fileBytesMax + limits.formOverheadBytesMax,
      fieldsMax: limits.formFieldsMax,
      fieldBytesMax: limits.formFieldBytesMax,
      takeFile: async (pieces) => {
        const blob = await files.receive(pieces)
        received.push(blob)
        return blob
      },
    })
    const { project_id, expected_digest } = checkFields(form)
    const writer = caller.write(project_id)
    const blob = form.file!
    if (expected_digest && expected_digest !== blob.digest) {
      throw new DomainError(
        'DigestMismatch',
        `\`expected_digest\` does not match: the digest of the file is ${blob.digest}`,
      )
    }
    await files.create(writer, [{ blob, name: form.fileName || unnamedFile }])
    return { digest: blob.digest }
  } finally {
    for (const blob of received) await files.discard(blob)
  }
}

function checkFields({ fields, file }: Form<unknown>): Static<typeof Fields> {
  const members = Object.fromEntries(fields)
  const violations = violationsOf(Fields, members, 'body')
  if (file === undefined) violations.push({ loc: ['body', 'file'], msg: 'Field required', type: 'missing' })
  if (violations.length > 0) throw new ValidationError(violations)
  return members as Static<typeof Fields>
}
