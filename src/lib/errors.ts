import type { DiskFault } from './disk-fault.ts'

/**
 * Domain errors. Services throw them by type; `api/error-responses.ts` maps the type to a status.
 * The message is shown to the caller: it says what is wrong and what to do, quotes the offending
 * value (bounded), and reveals no file names, SQL or stack traces.
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
  | 'InsufficientStorage'
  | 'DataDamaged'
  | 'QueryTimeout'
  | 'QueryTooLarge'
  | 'RequestCancelled'

export class DomainError extends Error {
  readonly type: ErrorType
  /** Additional members of the error body. */
  readonly extras: Readonly<Record<string, unknown>>

  constructor(type: ErrorType, message: string, options: { extras?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = type
    this.type = type
    this.extras = options.extras ?? {}
  }
}

/** The error for a request that could not be stored because of a disk fault. */
export const errorTypeOfFault = (fault: DiskFault | undefined): 'InsufficientStorage' | 'StoreUnavailable' =>
  fault === 'full' ? 'InsufficientStorage' : 'StoreUnavailable'

/** A value of a request as messages quote it: in quotation marks and truncated. */
export const quoted = (text: string, charsMax = 80): string => `"${text.slice(0, charsMax)}"`

/** `Too many spans: 7; at most 5 are allowed per request`. @param per `' per request'` */
export const tooMany = (what: string, count: number, max: number, per = ''): string =>
  `Too many ${what}: ${count}; at most ${max} are allowed${per}`

/** One schema violation: an element of the `detail` list of a 422 response. */
export interface Violation {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** A request that does not match its schema, with the path to each violation. */
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
