import { isScope } from '../../../lib/project-id.ts'
import { ConfigError } from '../../../runtime/config/config-error.ts'
import type { OidcSettings } from '../../../runtime/config/oidc.ts'
import type { Grant, Role } from '../caller.ts'

/** Claims of an ID token, or of the response of the UserInfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

const roles: readonly Role[] = ['read', 'write', 'admin']
/** Groups per user that are looked at; providers stop far below. */
const groupsMax = 1000

/** Which roles and scopes the groups of the provider have here. */
export class GroupAccess {
  private readonly byGroup: ReadonlyMap<string, readonly Grant[]>
  private readonly claim: string

  /** @throws ConfigError naming an access that is not `role:scope` */
  constructor({ access, groupsClaim }: Pick<OidcSettings, 'access' | 'groupsClaim'>) {
    const byGroup = new Map<string, Grant[]>()
    for (const { group, access: text } of access) {
      byGroup.set(group, [...(byGroup.get(group) ?? []), grantOf(group, text)])
    }
    this.byGroup = byGroup
    this.claim = groupsClaim
  }

  /** The combined access of the groups; empty if none of them gives access. */
  grantsOf(groups: readonly string[]): readonly Grant[] {
    return ['*', ...groups].flatMap((group) => this.byGroup.get(group) ?? [])
  }

  /** Whether claims state groups at all. */
  isIn(claims: Claims): boolean {
    return valueAt(claims, this.claim) !== undefined
  }

  /**
   * The groups that claims state. An address counts only if the provider has verified it: users may
   * choose others freely.
   */
  groupsIn(claims: Claims): readonly string[] {
    if (this.claim === 'email' && claims['email_verified'] !== true) return []
    const value = valueAt(claims, this.claim)
    const groups = (Array.isArray(value) ? value : [value]).filter((group) => typeof group === 'string')
    return [...new Set(groups)].filter((group) => group !== '*').slice(0, groupsMax)
  }
}

function grantOf(group: string, text: string): Grant {
  const [name = '', ...rest] = text.split(':')
  const role = roles.find((known) => known === name)
  const scope = rest.join(':')
  if (role !== undefined && isScope(scope)) return { role, scope }
  throw new ConfigError(
    `TRACELAKE_OIDC_ACCESS: group "${group}" has the access "${text}"; use <role>:<scope>, for example ` +
      `write:acme, with a role of ${roles.join(', ')} and a scope of "*", "<entity>" or "<entity>/<project>"`,
  )
}

/** A claim by its name, which may contain dots, or by the path to it. */
function valueAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  let value: unknown = claims
  for (const member of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
    value = Reflect.get(value, member)
  }
  return value
}
