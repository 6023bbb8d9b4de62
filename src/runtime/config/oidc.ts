import { isLoopbackHost } from '../platform/client-address.ts'
import { ConfigError, filled, oneOf, wholeNumber } from './config-error.ts'
import type { SettingName } from './setting-names.ts'

/** Access of a group of the provider; `*` is the group of everyone who signs in. */
interface GroupAccess {
  readonly group: string
  /** `role:scope`, for example `write:acme`; checked where roles and scopes are known. */
  readonly access: string
}

/** How users sign in through an OpenID provider. */
export interface OidcSettings {
  readonly issuer: string
  /** Name of the provider on the login page. */
  readonly name: string
  readonly clientId: string
  /** Undefined for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined
  readonly clientAuth: 'auto' | 'basic' | 'post'
  /** Separated by spaces. */
  readonly scopes: string
  /** Claim with the groups: its name, or its path with dots. */
  readonly groupsClaim: string
  readonly access: readonly GroupAccess[]
  /** Further parameters of the authorization request. */
  readonly parameters: Readonly<Record<string, string>>
  /** How often the groups of a session are read again. */
  readonly checkMs: number
  /** How long a session may last altogether. */
  readonly sessionMs: number
}

type Lookup = (name: SettingName) => string | undefined

const others = ['ACCESS', 'CHECK_S', 'CLIENT_AUTH', 'CLIENT_ID', 'CLIENT_SECRET', 'GROUPS_CLAIM', 'NAME'] as const
const checkSecondsMax = 3600

/** @throws ConfigError naming the variable and its valid values */
export function oidcSettings(textOf: Lookup): OidcSettings | null {
  const issuer = textOf('OIDC_ISSUER')
  if (issuer === undefined) {
    const alone = others.find((name) => textOf(`OIDC_${name}`) !== undefined)
    if (alone !== undefined) throw new ConfigError(`TRACELAKE_OIDC_${alone} is set, but TRACELAKE_OIDC_ISSUER is not`)
    return null
  }
  return {
    issuer: checkedIssuer(issuer),
    name: textOf('OIDC_NAME')?.trim() || new URL(issuer).hostname,
    clientId: required('OIDC_CLIENT_ID', textOf),
    clientSecret: textOf('OIDC_CLIENT_SECRET')?.trim() || undefined,
    clientAuth: oneOf('TRACELAKE_OIDC_CLIENT_AUTH', textOf('OIDC_CLIENT_AUTH') ?? 'auto', ['auto', 'basic', 'post']),
    scopes: scopesOf(textOf('OIDC_SCOPES') ?? 'openid profile email'),
    groupsClaim: filled('TRACELAKE_OIDC_GROUPS_CLAIM', textOf('OIDC_GROUPS_CLAIM') ?? 'groups'),
    access: Object.entries(pairs('OIDC_ACCESS', required('OIDC_ACCESS', textOf))).flatMap(([group, accesses]) =>
      accesses.map((access) => ({ group, access })),
    ),
    parameters: Object.fromEntries(
      Object.entries(pairs('OIDC_PARAMETERS', textOf('OIDC_PARAMETERS') ?? '')).map(([name, values]) => [
        name,
        values.join(' '),
      ]),
    ),
    checkMs: wholeNumber('TRACELAKE_OIDC_CHECK_S', textOf('OIDC_CHECK_S') ?? '300', 1, checkSecondsMax) * 1000,
    sessionMs: wholeNumber('TRACELAKE_OIDC_SESSION_H', textOf('OIDC_SESSION_H') ?? '12', 1, 720) * 3_600_000,
  }
}

function checkedIssuer(text: string): string {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (url === null || !isSafe || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(
      `TRACELAKE_OIDC_ISSUER must be an https URL (http only on this machine) without query, not "${text}"`,
    )
  }
  return text
}

function required(name: SettingName, textOf: Lookup): string {
  const text = textOf(name)?.trim()
  if (text) return text
  throw new ConfigError(`TRACELAKE_OIDC_ISSUER is set, so TRACELAKE_${name} must be set too`)
}

function scopesOf(text: string): string {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '')
  if (!scopes.includes('openid')) {
    throw new ConfigError(`TRACELAKE_OIDC_SCOPES must contain "openid", not "${text}"`)
  }
  return scopes.join(' ')
}

/**
 * `name=value, name=value`, or a JSON object whose values are texts or lists of texts. A name may
 * occur more than once, and may contain `=` before the last one.
 */
function pairs(name: SettingName, text: string): Record<string, string[]> {
  const found: Record<string, string[]> = Object.create(null)
  const add = (key: string, value: unknown): void => {
    if (key === '' || typeof value !== 'string' || value === '') throw malformed(name)
    found[key] = [...(found[key] ?? []), value]
  }
  if (text.trimStart().startsWith('{')) {
    for (const [key, value] of Object.entries(parsed(name, text))) for (const one of [value].flat()) add(key, one)
    return found
  }
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue
    const at = item.lastIndexOf('=')
    add(item.slice(0, Math.max(at, 0)).trim(), item.slice(at + 1).trim())
  }
  return found
}

function parsed(name: SettingName, text: string): Record<string, unknown> {
  try {
    const value: Record<string, unknown> = JSON.parse(text)
    return value
  } catch {
    throw malformed(name)
  }
}

const malformed = (name: SettingName): ConfigError =>
  new ConfigError(
    `TRACELAKE_${name} must be a list such as ` +
      (name === 'OIDC_ACCESS' ? '"ml-team=write:acme, staff=read:*"' : '"access_type=offline, prompt=consent"') +
      ' or a JSON object',
  )
