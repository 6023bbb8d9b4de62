import { keyHeaders } from '../../formats/dialect/spellings.ts'

/**
 * The API key in a request, if any: the password of `Authorization: Basic` (RFC 7617; any user
 * name), the token of `Authorization: Bearer` (RFC 6750), else the header sent by OTLP exporters.
 * If `Authorization` is present, only it counts, so that a request never has two callers.
 */
export function keyTextOf(headers: Headers): string | undefined {
  const authorization = headers.get('authorization')
  if (authorization !== null) return fromAuthorization(authorization)
  for (const name of keyHeaders) {
    const value = headers.get(name)?.trim()
    if (value) return value
  }
  return undefined
}

function fromAuthorization(value: string): string | undefined {
  const [, scheme, credentials] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(value) ?? []
  if (scheme === undefined || credentials === undefined) return undefined
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials
    case 'basic':
      return passwordOf(credentials)
    default:
      return undefined
  }
}

function passwordOf(credentials: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(credentials), (char) => char.charCodeAt(0))
    const text = new TextDecoder().decode(bytes)
    const colon = text.indexOf(':')
    return colon === -1 || colon === text.length - 1 ? undefined : text.slice(colon + 1)
  } catch {
    // Not base64: treated as missing credentials.
    return undefined
  }
}
