import { expect, test } from 'bun:test'
import { GroupAccess } from '../../domains/access/oidc/group-access.ts'
import { loadConfig } from '../config.ts'

const settings = {
  TRACELAKE_OIDC_ISSUER: 'https://id.example.com/realms/house',
  TRACELAKE_OIDC_CLIENT_ID: 'tracelake',
  TRACELAKE_OIDC_ACCESS: 'ml-team=write:acme, staff=read:*',
}
const oidcOf = (changes: Record<string, string> = {}) => {
  const variables: Record<string, string | undefined> = { ...settings, ...changes }
  return loadConfig({}, (name) => variables[name]).oidc!
}
const grants = (access: string, groups: string[]) =>
  new GroupAccess(oidcOf({ TRACELAKE_OIDC_ACCESS: access })).grantsOf(groups)
const groupsIn = (claim: string, claims: Record<string, unknown>) =>
  new GroupAccess(oidcOf({ TRACELAKE_OIDC_GROUPS_CLAIM: claim })).groupsIn(claims)

test('without an issuer there is no provider', () => {
  expect(loadConfig({}, () => undefined).oidc).toBeNull()
})

test('defaults', () => {
  expect(oidcOf()).toMatchObject({
    name: 'id.example.com',
    scopes: 'openid profile email',
    groupsClaim: 'groups',
    checkMs: 300_000,
    sessionMs: 43_200_000,
  })
})

test.each([
  [{ TRACELAKE_OIDC_ISSUER: 'http://id.example.com' }, 'must be an https URL'],
  [{ TRACELAKE_OIDC_CLIENT_ID: '' }, 'TRACELAKE_OIDC_CLIENT_ID must be set'],
  [{ TRACELAKE_OIDC_ACCESS: ' ' }, 'TRACELAKE_OIDC_ACCESS must be set'],
  [{ TRACELAKE_OIDC_ACCESS: 'ml-team' }, 'must be a list such as'],
  [{ TRACELAKE_OIDC_ACCESS: '{"a": 1}' }, 'must be a list such as'],
  [{ TRACELAKE_OIDC_SCOPES: 'profile' }, 'must contain "openid"'],
  [{ TRACELAKE_OIDC_CHECK_S: '0' }, 'TRACELAKE_OIDC_CHECK_S must be an integer'],
])('%p is refused', (changes, reason) => {
  expect(() => oidcOf(changes as unknown as Record<string, string>)).toThrow(reason)
})

test('a setting without an issuer is refused', () => {
  expect(() => loadConfig({}, (name) => (name === 'TRACELAKE_OIDC_ACCESS' ? 'a=read:*' : undefined))).toThrow(
    'TRACELAKE_OIDC_ISSUER is not',
  )
})

test('groups add up, names may contain "=" and "/", and "*" is everyone', () => {
  const access = '/ml team=write:acme, CN=ops=admin:*, ml=read:a, ml=write:b/c, *=read:public'
  expect(grants(access, ['/ml team'])).toEqual([
    { role: 'read', scope: 'public' },
    { role: 'write', scope: 'acme' },
  ])
  expect(grants(access, ['CN=ops', 'ml'])).toContainEqual({ role: 'admin', scope: '*' })
  expect(grants(access, ['ml']).map(({ scope }) => scope)).toEqual(['public', 'a', 'b/c'])
  expect(grants('{"CN=ops,OU=x": ["admin:*", "read:a"]}', ['CN=ops,OU=x'])).toHaveLength(2)
  expect(grants('a=read:*', ['toString', '__proto__', '*'])).toEqual([])
})

test('an access that is not a role and a scope is refused', () => {
  expect(() => grants('a=owner:acme', [])).toThrow('group "a" has the access "owner:acme"')
  expect(() => grants('a=read:a/b/c', [])).toThrow('use <role>:<scope>')
})

test('groups are found by name or path', () => {
  expect(groupsIn('groups', { groups: ['a', 'b', 'a', 7] })).toEqual(['a', 'b'])
  expect(groupsIn('realm_access.roles', { realm_access: { roles: ['a'] } })).toEqual(['a'])
  expect(groupsIn('https://example.com/roles', { 'https://example.com/roles': ['a'] })).toEqual(['a'])
  expect(groupsIn('hd', { hd: 'example.com' })).toEqual(['example.com'])
  expect(groupsIn('groups', {})).toEqual([])
  expect(groupsIn('groups', { groups: ['*'] })).toEqual([])
})

test('an address counts only if the provider has verified it', () => {
  expect(groupsIn('email', { email: 'a@example.com', email_verified: true })).toEqual(['a@example.com'])
  expect(groupsIn('email', { email: 'a@example.com', email_verified: false })).toEqual([])
  expect(groupsIn('email', { email: 'a@example.com' })).toEqual([])
})
