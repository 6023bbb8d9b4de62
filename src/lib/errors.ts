/** Why the file system fails, if the cause is temporary or can be fixed by an operator. */
type DiskFault = 'full' | 'read-only' | 'failing' | 'out of handles'

const faultOfCode: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
  EMFILE: 'out of handles',
  ENFILE: 'out of handles',
}

/** C++ libraries pass on the text of strerror without the code. */
const faultOfWords: readonly (readonly [string, DiskFault])[] = [
  ['No space left on device', 'full'],
  ['Disk quota exceeded', 'full'],
  ['Read-only file system', 'read-only'],
  ['Input/output error', 'failing'],
  ['Too many open files', 'out of handles'],
]

const words: Readonly<Record<DiskFault, string>> = {
  full: 'the disk is full',
  'read-only': 'the file system is read-only',
  failing: 'the disk reports I/O errors',
  'out of handles': 'too many open files',
}

/** The disk fault behind an error or its causes; undefined if there is none. */
export function findDiskFault(error: unknown): DiskFault | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? faultOfCode[String(cause.code)] : undefined
    if (code !== undefined) return code
    const { message } = cause
    const found = faultOfWords.find(([text]) => message.includes(text))
    if (found !== undefined) return found[1]
  }
  return undefined
}

/** The fault as a phrase for users; undefined if there is none. */
export function describeDiskFault(error: unknown): string | undefined {
  const fault = findDiskFault(error)
  return fault === undefined ? undefined : words[fault]
}

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
  | 'InvalidRows'
  | 'UnsupportedMediaType'
  | 'NotAcceptable'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'DigestMismatch'
  | 'VersionConflict'
  | 'LeaseEnded'
  | 'AlreadyDecided'
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
