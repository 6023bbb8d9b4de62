import { type TSchema, Type } from '@sinclair/typebox'

const Refusal = Type.Object(
  {
    reason: Type.String({ description: 'What was attempted and why it was refused' }),
    error_type: Type.String({ description: 'Stable name of the kind of error' }),
  },
  { $id: 'Refusal', description: 'A request that the server refuses; some kinds have further members' },
)

const Violations = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), { description: 'Path to the broken place' }),
        msg: Type.String(),
        type: Type.String(),
      }),
    ),
  },
  { $id: 'Violations', description: 'A request that does not fit its schema' },
)

const InternalError = Type.Object(
  {
    reason: Type.String(),
    error_id: Type.String({ description: 'Find the rest under this id in the log of the server' }),
  },
  { $id: 'InternalError', description: 'Something nobody foresaw' },
)

interface ErrorAnswer {
  /** Name under `components.responses`. */
  readonly name: string
  readonly description: string
  readonly schema: TSchema
}

/** The error answers that operations share, by status. */
export const errorAnswers: ReadonlyMap<number, ErrorAnswer> = new Map([
  [400, { name: 'BadRequest', description: 'The request makes no sense', schema: Refusal }],
  [401, { name: 'Unauthorized', description: 'No valid API key', schema: Refusal }],
  [
    403,
    { name: 'Forbidden', description: 'The key does not reach the project, or its role is too low', schema: Refusal },
  ],
  [404, { name: 'NotFound', description: 'There is no such thing', schema: Refusal }],
  [413, { name: 'TooLarge', description: 'The request is too large or nested too deep', schema: Refusal }],
  [415, { name: 'UnsupportedMediaType', description: 'Content type or encoding is not understood', schema: Refusal }],
  [406, { name: 'NotAcceptable', description: '`accept` names none of the formats', schema: Refusal }],
  [
    409,
    {
      name: 'Conflict',
      description: 'Not the expected digest, or the first request with the same `Idempotency-Key` is still under way',
      schema: Refusal,
    },
  ],
  [
    422,
    {
      name: 'Invalid',
      description:
        'The request does not fit its schema (`detail` lists the broken places), or is refused as a whole (`reason`): JSON that is none, a field that is not known',
      schema: Type.Union([Violations, Refusal], { $id: 'InvalidRequest', description: 'One of two shapes' }),
    },
  ],
  [429, { name: 'TooMany', description: 'The key asks for more than its share; see `Retry-After`', schema: Refusal }],
  [499, { name: 'ClientLeft', description: 'The client left before its answer; nobody sees it', schema: Refusal }],
  [500, { name: 'Internal', description: 'An error of the server', schema: InternalError }],
  [501, { name: 'NotImplemented', description: 'Nobody has taught the server to answer this', schema: Refusal }],
  [502, { name: 'QueryTooLarge', description: 'The query needs more memory than the server has', schema: Refusal }],
  [
    503,
    {
      name: 'Unavailable',
      description: 'Too busy or not able to store; try again after `Retry-After`',
      schema: Refusal,
    },
  ],
  [504, { name: 'QueryTimeout', description: 'The query took longer than it may and was stopped', schema: Refusal }],
])
