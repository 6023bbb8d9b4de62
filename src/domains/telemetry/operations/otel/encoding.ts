import { DomainError } from '../../../../lib/errors.ts'

/** The two encodings of OTLP over HTTP; over gRPC it is always protobuf. */
export type Encoding = 'protobuf' | 'json'

export const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

/**
 * The OTLP encoding of a request body; undefined for other content types. Content type parameters
 * are ignored.
 */
export function encodingOf(request: Request): Encoding | undefined {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === contentTypes.json) return 'json'
  return type === contentTypes.protobuf || type === 'application/protobuf' ? 'protobuf' : undefined
}

/** @throws DomainError UnsupportedMediaType */
export function requireEncoding(request: Request): Encoding {
  const encoding = encodingOf(request)
  if (encoding !== undefined) return encoding
  const type = request.headers.get('content-type') ?? ''
  throw new DomainError(
    'UnsupportedMediaType',
    `Unsupported content type "${type}"; use application/x-protobuf or application/json`,
  )
}
