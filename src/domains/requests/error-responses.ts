import type { TSchema } from '@sinclair/typebox'
import { NotFoundError, ParseError, ValidationError as SchemaError } from 'elysia'
import { v7 as uuid } from 'uuid'
import { violationsOf } from '../../formats/body/violations.ts'
import {
  DomainError,
  describeDiskFault,
  type ErrorType,
  errorTypeOfFault,
  findDiskFault,
  ValidationError,
} from '../../lib/errors.ts'
import type { Log } from '../../runtime/log.ts'

/** Maps domain errors to HTTP statuses; this is the only place that does. */
export const statusOf: Readonly<Record<ErrorType, number>> = {
  InvalidRequest: 400,
  ValidationError: 400,
  InvalidJson: 422,
  InvalidField: 422,
  InvalidRows: 422,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  ObjectDeleted: 404,
  ObjectNameTypeCollision: 400,
  NotAcceptable: 406,
  RequestTimeout: 408,
  DigestMismatch: 409,
  VersionConflict: 409,
  LeaseEnded: 409,
  AlreadyDecided: 409,
  RepeatedTooEarly: 409,
  RequestTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  RequestCancelled: 499,
  NotImplemented: 501,
  QueryTooLarge: 502,
  Overloaded: 503,
  StoreUnavailable: 503,
  DataDamaged: 503,
  QueryTimeout: 504,
  InsufficientStorage: 507,
}

const headersOf: Partial<Record<ErrorType, Record<string, string>>> = {
  Unauthorized: { 'www-authenticate': 'Basic realm="tracelake", charset="UTF-8"' },
  RepeatedTooEarly: { 'retry-after': '1' },
  TooManyRequests: { 'retry-after': '1' },
  Overloaded: { 'retry-after': '1' },
  StoreUnavailable: { 'retry-after': '5' },
  InsufficientStorage: { 'retry-after': '5' },
}

/**
 * The response to a failed request. Unexpected errors are logged under an id and not revealed to
 * the client.
 */
export function toErrorResponse(thrown: unknown, log: Log): Response {
  // Elysia wraps errors thrown by body parsers.
  const error = thrown instanceof ParseError ? (thrown.cause ?? thrown) : thrown
  if (error instanceof ValidationError) return json(422, { detail: error.violations })
  if (error instanceof DomainError) {
    if (error.type === 'DataDamaged')
      log.error({ err: error.cause ?? error }, 'request failed: the data it needs is damaged')
    const body = { reason: error.message, error_type: error.type, ...error.extras }
    return json(statusOf[error.type], body, headersOf[error.type])
  }
  if (error instanceof NotFoundError) return json(404, { detail: 'Not Found' })
  if (error instanceof SchemaError && error.type !== 'response') {
    const schema = schemaOf(error)
    return json(422, { detail: violationsOf(schema, error.value, error.type) })
  }
  const fault = findDiskFault(error)
  if (fault !== undefined) {
    log.error({ err: asError(error) }, 'request failed: disk error')
    const message = `Request failed: ${describeDiskFault(error)}; try again later`
    return toErrorResponse(new DomainError(errorTypeOfFault(fault), message), log)
  }
  const errorId = uuid()
  log.error({ errorId, err: asError(error) }, 'request failed')
  return json(500, { reason: 'Internal server error', error_id: errorId })
}

function schemaOf(error: SchemaError): TSchema {
  const validator = error.validator as { schema?: TSchema }
  return validator.schema ?? (error.validator as TSchema)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}
