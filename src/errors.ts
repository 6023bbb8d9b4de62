/**
 * Domain errors. Services throw them by name; `api/error-responses.ts` turns the name into a status. The message is shown to the
 * caller: it says what was attempted, quotes the value and names no file, no SQL and no stack.
 */
export type ErrorType =
  | 'InvalidRequest'
  | 'ValidationError'
  | 'InvalidField'
  | 'InvalidJson'
  | 'UnsupportedMediaType'
  | 'NotAcceptable'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'DigestMismatch'
  | 'ObjectDeleted'
  | 'ObjectNameTypeCollision'
  | 'RequestTooLarge'
  | 'RequestTimeout'
  | 'TooManyRequests'
  | 'RepeatedTooEarly'
  | 'NotImplemented'
  | 'Overloaded'
  | 'StoreUnavailable'
  | 'DataDamaged'
  | 'QueryTimeout'
  | 'QueryTooLarge'
  | 'RequestCancelled'

export class DomainError extends Error {
  readonly type: ErrorType
  /** Further members of the error body. */
  readonly extras: Readonly<Record<string, unknown>>

  constructor(type: ErrorType, message: string, options: { extras?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = type
    this.type = type
    this.extras = options.extras ?? {}
  }
}

/** One broken rule of a request; the shape of the members of a 422 `detail` list. */
export interface Violation {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** A request that does not fit its schema, with a path to each broken place. */
export class ValidationError extends Error {
  readonly violations: readonly Violation[]

  constructor(violations: readonly Violation[]) {
    super(violations.map((v) => `${v.loc.join('.')}: ${v.msg}`).join('; '))
    this.name = 'ValidationError'
    this.violations = violations
  }
}

export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
