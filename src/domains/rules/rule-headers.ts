import { DomainError, quoted } from '../../lib/errors.ts'

const nameForm = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Set by the server or by HTTP itself. */
const reserved =
  /^(?:host|content-(?:length|type|encoding)|transfer-encoding|connection|keep-alive|te|trailer|upgrade|webhook-.*)$/i

/** The names of headers that a rule may send. @throws DomainError InvalidRequest */
export function checkHeaders(headers: Readonly<Record<string, string>>): string[] {
  for (const [name, value] of Object.entries(headers)) {
    if (!nameForm.test(name)) refuse(`Invalid header name ${quoted(name)}`)
    if (reserved.test(name)) refuse(`The header ${quoted(name)} cannot be set`)
    if (!/^[\x20-\x7e]*$/.test(value)) refuse(`The value of the header ${quoted(name)} must be printable ASCII text`)
  }
  return Object.keys(headers)
}

function refuse(why: string): never {
  throw new DomainError('InvalidRequest', why)
}
