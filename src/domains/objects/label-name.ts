import { DomainError, quoted, tooMany } from '../../lib/errors.ts'
import { limits } from '../../lib/limits.ts'
import { parseVersionSelector } from './version-selector.ts'

/** Distinct, validated tag names. @throws DomainError InvalidRequest */
export function tagNames(names: readonly string[]): string[] {
  return checked('tag', names, (name) => {
    const isTag = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.test(name) && [...name].length <= limits.tagCharsMax
    return isTag ? undefined : `use up to ${limits.tagCharsMax} letters, digits, "_", "-" and single spaces inside`
  })
}

/**
 * Distinct, validated aliases to set: names that reads will take for an alias. @throws DomainError
 * InvalidRequest
 */
export function aliasNames(names: readonly string[]): string[] {
  return checked('alias', names, (name) => {
    const fault = faultInAlias(name)
    if (fault !== undefined) return fault
    const { by } = parseVersionSelector(name)
    if (by === 'digest') return 'an alias must not have the form of a digest'
    return by === 'index' ? 'an alias must not have the form of a version number' : undefined
  })
}

/** Distinct, validated aliases to remove. @throws DomainError InvalidRequest */
export const removedAliasNames = (names: readonly string[]): string[] => checked('alias', names, faultInAlias)

function faultInAlias(name: string): string | undefined {
  if (name === 'latest') return '"latest" is maintained by the server and cannot be set or removed'
  if (/^v\d+$/.test(name)) return 'an alias must not have the form of a version number'
  const isAlias = name.trim() !== '' && !/[/:]/.test(name) && [...name].length <= limits.idCharsMax
  return isAlias ? undefined : `use 1 to ${limits.idCharsMax} characters without "/" and ":"`
}

/** Distinct names. @throws DomainError InvalidRequest for too many */
export function labelNames(names: readonly string[]): string[] {
  return checked('label', names, () => undefined)
}

function checked(what: string, names: readonly string[], faultIn: (name: string) => string | undefined): string[] {
  const each = [...new Set(names)]
  if (each.length > limits.labelsPerRequestMax) {
    throw new DomainError('InvalidRequest', tooMany('names', each.length, limits.labelsPerRequestMax, ' per request'))
  }
  for (const name of each) {
    const fault = faultIn(name)
    if (fault !== undefined) throw new DomainError('InvalidRequest', `Invalid ${what} ${quoted(name)}: ${fault}`)
  }
  return each
}
