import { type TSchema, Type } from '@sinclair/typebox'

const ApiError = Type.Object(
  {
    reason: Type.String({ description: 'Why the request was rejected' }),
    error_type: Type.String({ description: 'Stable, machine-readable error name' }),
  },
  { $id: 'ApiError', description: 'A rejected request. Some errors have additional members.' },
)

const ValidationErrors = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Path to the invalid member' }),
        msg: Type.String(),
        type: Type.String(),
      }),
    ),
  },
  { $id: 'ValidationErrors', description: 'A request that does not match its schema' },
)

const InternalError = Type.Object(
  {
    reason: Type.String(),
    error_id: Type.String({ description: 'Look up this id in the server log for details' }),
  },
  { $id: 'InternalError', description: 'An unexpected server error' },
)

interface ErrorResponse {
  /** Name under `components.responses`. */
  readonly name: string
  readonly description: string
  readonly schema: TSchema
}

/** Error responses shared by operations, by status. */
export const errorResponses: ReadonlyMap<number, ErrorResponse> = new Map([
  [400, { name: 'BadRequest', description: 'Invalid request', schema: ApiError }],
  [401, { name: 'Unauthorized', description: 'Missing or invalid API key', schema: ApiError }],
  [
    403,
    {
      name: 'Forbidden',
      description: 'The API key has no access to the project, or its role does not allow the operation',
      schema: ApiError,
    },
  ],
  [404, { name: 'NotFound', description: 'Not found', schema: ApiError }],
  [413, { name: 'RequestTooLarge', description: 'The request is too large or nested too deeply', schema: ApiError }],
  [415, { name: 'UnsupportedMediaType', description: 'Unsupported content type or encoding', schema: ApiError }],
  [406, { name: 'NotAcceptable', description: 'No supported format in the `accept` header', schema: ApiError }],
  [
    409,
    {
      name: 'Conflict',
      description:
        'The digest differs from the expected one, or an earlier request with the same `Idempotency-Key` is ' +
        'still in progress',
      schema: ApiError,
    },
  ],
  [
    422,
    {
      name: 'UnprocessableRequest',
      description:
        'The request does not match its schema (`detail` lists the violations) or is rejected as a whole ' +
        '(`reason`), for example because of malformed JSON or an unknown field',
      schema: Type.Union([ValidationErrors, ApiError], {
        $id: 'InvalidRequest',
        description: 'Schema violations or a single reason',
      }),
    },
  ],
  [429, { name: 'TooManyRequests', description: 'Rate limit exceeded; see `Retry-After`', schema: ApiError }],
  [
    499,
    {
      name: 'ClientDisconnected',
      description: 'The client disconnected before the response was ready',
      schema: ApiError,
    },
  ],
  [500, { name: 'Internal', description: 'Internal server error', schema: InternalError }],
  [501, { name: 'NotImplemented', description: 'Not implemented', schema: ApiError }],
  [502, { name: 'QueryTooLarge', description: 'The query needs more memory than is available', schema: ApiError }],
  [
    503,
    {
      name: 'Unavailable',
      description: 'Overloaded or not accepting writes; see `Retry-After`',
      schema: ApiError,
    },
  ],
  [504, { name: 'QueryTimeout', description: 'The query exceeded its time limit and was stopped', schema: ApiError }],
  [
    507,
    {
      name: 'InsufficientStorage',
      description: 'The disk is full or nearly full; nothing was stored. See `Retry-After`',
      schema: ApiError,
    },
  ],
])
