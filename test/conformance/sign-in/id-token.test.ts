import { afterAll, afterEach, expect, test } from 'bun:test'
import { TestProvider } from '../support/openid-provider.ts'
import { ownServer } from '../support/target.ts'
import { until } from '../support/until.ts'
import { TokenKey, unsigned } from './token-key.ts'
import { problemOf, Traveller } from './traveller.ts'

const own = await TokenKey.generate('own')
const foreign = await TokenKey.generate('own')
const provider = await TestProvider.start({
  people: {
    ada: { name: 'Ada', email: 'ada@example.com', groups: ['staff'] },
    bob: { name: 'Bob', email: 'bob@example.com', groups: [] },
  },
  settings: { jwks: { keys: [own.jwk] } },
})
afterAll(() => provider[Symbol.asyncDispose]())
afterEach(() => {
  provider.tamper = undefined
})
const server = await ownServer({
  env: { ...provider.settings('staff=read:*'), TRACELAKE_OIDC_CHECK_S: '1' },
})

/** Replaces the ID tokens that the provider issues. */
const replaceTokens = (change: (token: string) => string | Promise<string>): void => {
  provider.tamper = async (body) => ({ ...body, id_token: await change(body['id_token'] as string) })
}
const now = () => Math.floor(Date.now() / 1000)

test.each<[what: string, problem: string, change: (token: string) => string | Promise<string>]>([
  ['of a foreign key', 'invalid', (token) => foreign.sign(token, {})],
  ['without a signature', 'invalid', unsigned],
  ['with more groups than were signed', 'invalid', (token) => spliced(token)],
  ['with another nonce', 'invalid', (token) => own.sign(token, { nonce: 'another' })],
  ['without a nonce', 'invalid', (token) => own.sign(token, { nonce: undefined })],
  ['for another client', 'invalid', (token) => own.sign(token, { aud: 'another' })],
  ['of another issuer', 'invalid', (token) => own.sign(token, { iss: 'https://evil.example.com' })],
  ['that has expired', 'clock', (token) => own.sign(token, { exp: now() - 3600, iat: now() - 7200 })],
  ['that is not valid yet', 'clock', (token) => own.sign(token, { nbf: now() + 3600 })],
])('an ID token %s is refused as %s', async (_, problem, change) => {
  replaceTokens(change)
  const bob = new Traveller(server.client.address)
  expect(problemOf(await bob.signIn('ada'))).toBe(problem)
  expect((await bob.session()).body).toMatchObject({ user_id: null })
})

test('an ID token is accepted with the right key, and within the tolerance for clocks', async () => {
  replaceTokens((token) => own.sign(token, { nbf: now() + 10 }))
  expect((await new Traveller(server.client.address).signIn('ada')).status).toBe(200)
})

test('a missing ID token is refused', async () => {
  provider.tamper = ({ id_token: _, ...body }) => body
  expect(problemOf(await new Traveller(server.client.address).signIn('ada'))).toBe('invalid')
})

test('an ID token of another person ends the session that is refreshed', async () => {
  const ada = new Traveller(server.client.address)
  await ada.signIn('ada')
  replaceTokens((token) => own.sign(token, { sub: 'bob', groups: ['staff'] }))
  await until(async () => (await ada.session()).body['user_id'] === null)
})

/** The signature of a token under claims that it was not made for. */
function spliced(token: string): string {
  const [head, body, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body!, 'base64url').toString('utf8')) as Record<string, unknown>
  const changed = Buffer.from(JSON.stringify({ ...claims, groups: ['staff', 'operators'] })).toString('base64url')
  return `${head}.${changed}.${signature}`
}
