import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { parseVersionSelector } from './version-selector.ts'

/** The names without repetitions, checked. @throws DomainError InvalidRequest */
export function tagNames(names: readonly string[]): string[] {
  return checked('tag', names, (name) => {
    const isTag = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u.test(name) && [...name].length <= limits.tagCharsMax
    return isTag
      ? undefined
      : `a tag is made of letters, digits, "_" and "-", with single spaces inside, up to ${limits.tagCharsMax} characters`
  })
}

/** Aliases to set, without repetitions, checked: names that a read takes for an alias. @throws DomainError InvalidRequest */
export function aliasNames(names: readonly string[]): string[] {
  return checked('alias', names, (name) => {
    const fault = faultInAlias(name)
    if (fault !== undefined) return fault
    const { by } = parseVersionSelector(name)
    if (by === 'digest') return 'it has the form of a digest, and would never be read as an alias'
    return by === 'index' ? 'that is the number of a version' : undefined
  })
}

/** Aliases to take away, without repetitions, checked. @throws DomainError InvalidRequest */
export const removedAliasNames = (names: readonly string[]): string[] => checked('alias', names, faultInAlias)

function faultInAlias(name: string): string | undefined {
  if (name === 'latest') return 'that follows from the versions and cannot be set or removed'
  if (/^v\d+$/.test(name)) return 'that is the number of a version'
  const isAlias = name.trim() !== '' && !/[/:]/.test(name) && [...name].length <= limits.idCharsMax
  return isAlias ? undefined : `an alias has 1 to ${limits.idCharsMax} characters, none of them "/" or ":"`
}

/** The names without repetitions. @throws DomainError InvalidRequest for too many */
export function labelNames(names: readonly string[]): string[] {
  return checked('label', names, () => undefined)
}

function checked(what: string, names: readonly string[], faultIn: (name: string) => string | undefined): string[] {
  const each = [...new Set(names)]
  if (each.length > limits.labelsPerRequestMax) {
    throw new DomainError(
      'InvalidRequest',
      `Label a version: ${each.length} names are more than the ${limits.labelsPerRequestMax} allowed at a time`,
    )
  }
  for (const name of each) {
    const fault = faultIn(name)
    if (fault !== undefined)
      throw new DomainError('InvalidRequest', `Read the ${what} "${name.slice(0, 80)}": ${fault}`)
  }
  return each
}
