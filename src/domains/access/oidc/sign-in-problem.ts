/**
 * Why a sign-in failed, as the login page explains it: the user cancelled; no group gives access;
 * the attempt is too old; what came back cannot be trusted; the clocks differ; the provider does
 * not answer; the provider refuses this server; there are too many sessions.
 */
type SignInProblemCode = 'denied' | 'no-access' | 'expired' | 'invalid' | 'clock' | 'unreachable' | 'refused' | 'busy'

/** A sign-in failed. The message is for the log and contains no token. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem'
  readonly code: SignInProblemCode

  constructor(code: SignInProblemCode, message: string) {
    super(message)
    this.code = code
  }
}

interface LibraryError {
  readonly name?: unknown
  readonly code?: unknown
  readonly message?: unknown
  readonly error?: unknown
  readonly error_description?: unknown
  readonly status?: unknown
  readonly cause?: unknown
}

const membersOf = (cause: unknown): LibraryError => (typeof cause === 'object' && cause !== null ? cause : {})

/** Errors that pass: of the network, and of a provider in trouble. */
const passing = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/**
 * Translates an error of the OpenID library. Causes are dropped: they may contain tokens and
 * claims.
 */
export function toSignInProblem(cause: unknown, step: string): SignInProblem {
  if (cause instanceof SignInProblem) return cause
  const { name, code, message, error, error_description, status } = membersOf(cause)
  const parts = [message, error, error_description, reasonOf(cause)].filter((part) => typeof part === 'string')
  const text = `${step}: ${[...new Set(parts)].join('; ')}`.slice(0, 500)
  if (name === 'AuthorizationResponseError') {
    const isPassing = error === 'temporarily_unavailable' || error === 'server_error'
    return new SignInProblem(error === 'access_denied' ? 'denied' : isPassing ? 'unreachable' : 'refused', text)
  }
  if (name === 'ResponseBodyError') {
    return new SignInProblem(typeof status === 'number' && status >= 500 ? 'unreachable' : 'refused', text)
  }
  if (name === 'WWWAuthenticateChallengeError') return new SignInProblem('refused', text)
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new SignInProblem('clock', text)
  if (typeof code === 'string' && passing.has(code)) return new SignInProblem('unreachable', text)
  if (typeof code === 'string' && code.startsWith('OAUTH_')) return new SignInProblem('invalid', text)
  // Without a code of the library, there was no response at all.
  return new SignInProblem('unreachable', text)
}

/**
 * The reason for an error: the library's own, or why a connection failed. Other causes may quote
 * what was received.
 */
function reasonOf(error: unknown): string | undefined {
  const { code, cause } = membersOf(error)
  if (!(cause instanceof Error)) return undefined
  const isOwn = cause.name === 'OperationProcessingError'
  return isOwn || code === undefined ? cause.message : undefined
}
