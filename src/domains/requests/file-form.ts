import type { TSchema } from '@sinclair/typebox'
import { MiB } from '../../lib/bytes.ts'
import { DomainError, type Violation } from '../../lib/errors.ts'
import { requestLimits } from '../../lib/limits/requests.ts'
import { type Form, readForm } from '../../runtime/http/multipart.ts'
import { bodyPace } from './request-body.ts'

interface FileFormOptions<File> {
  readonly fileBytesMax: number
  /** Bytes of one of the other fields. */
  readonly fieldBytesMax: number
  readonly receive: (pieces: AsyncIterable<Uint8Array>) => Promise<File>
  readonly discard: (file: File) => Promise<void>
}

/**
 * Reads a form with a file, which is received while it arrives and discarded when `use` is done.
 *
 * @throws DomainError RequestTooLarge, UnsupportedMediaType and those of the form
 */
export async function withFileForm<File, T>(
  request: Request,
  { fileBytesMax, fieldBytesMax, receive, discard }: FileFormOptions<File>,
  use: (form: Form<File>) => Promise<T>,
): Promise<T> {
  const formBytesMax = fileBytesMax + requestLimits.formOverheadBytesMax + fieldBytesMax
  if (Number(request.headers.get('content-length') ?? 0) > formBytesMax) {
    throw new DomainError('RequestTooLarge', `The file exceeds the limit of ${fileBytesMax / MiB} MiB`)
  }
  const received: File[] = []
  try {
    const form = await readForm(request, {
      pace: bodyPace,
      fileMember: 'file',
      fileBytesMax,
      formBytesMax,
      fieldsMax: requestLimits.formFieldsMax,
      fieldBytesMax,
      takeFile: async (pieces) => {
        const file = await receive(pieces)
        received.push(file)
        return file
      },
    })
    return await use(form)
  } finally {
    for (const file of received) await discard(file)
  }
}

/** What a form without a file is told. */
export const fileMissing: Violation = { loc: ['body', 'file'], msg: 'Field required', type: 'missing' }

/** Describes a form with a file in the OpenAPI document. */
export const describeFileForm = (
  fields: Readonly<Record<string, TSchema>>,
  required: readonly string[],
  encoding?: Readonly<Record<string, { readonly contentType: string }>>,
) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        required: [...required, 'file'],
        properties: { ...fields, file: { type: 'string' as const, format: 'binary' } },
      },
      ...(encoding && { encoding }),
    },
  },
})
