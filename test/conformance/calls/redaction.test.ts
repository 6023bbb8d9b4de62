import { describe, expect, test } from 'bun:test'
import { startServer } from '../support/server-process.ts'
import { freshProject, sharedServer } from '../support/target.ts'

const server = await sharedServer()

const exactKeys = [
  'auth_headers',
  'authorization',
  'auth_token',
  'aws_access_key',
  'aws_access_key_id',
  'bearer',
  'bearer_token',
  'cookie',
  'credentials',
  'database_url',
  'jwt',
  'passwd',
  'password',
  'proxy_authorization',
  'secret',
  'set_cookie',
  'token',
  'vertex_credentials',
  'webhook_key',
  'webhook_secret',
]
const endings = [
  'access_token',
  'api_key',
  'api_token',
  'client_secret',
  'private_key',
  'refresh_token',
  'secret_access_key',
  'secret_key',
  'session_token',
]

async function inputsAfter(inputs: Record<string, unknown>): Promise<Record<string, unknown>> {
  const project = freshProject(server)
  await project.add({ id: 'a', inputs })
  return (await project.readExisting('a')).inputs
}

describe('redaction of credentials', () => {
  test('replaces text under every credential-like key', async () => {
    const keys = [...exactKeys, ...endings, ...endings.map((ending) => `my_${ending}`)]
    const inputs = await inputsAfter(Object.fromEntries(keys.map((key) => [key, 'hidden'])))
    expect(inputs).toEqual(Object.fromEntries(keys.map((key) => [key, 'REDACTED'])))
  })

  test.each([
    'apikey',
    'API_KEY',
    'Api-Key',
    'apiKey',
    'OPENAI_API_KEY',
    'Authorization',
    'AUTH-TOKEN',
    '__api__key__',
    'DATABASE_URL',
    'databaseUrl',
    'Set-Cookie',
    'Passwd',
    'private-key',
  ])('recognizes the spelling %s', async (key) => {
    expect(await inputsAfter({ [key]: 'hidden' })).toEqual({ [key]: 'REDACTED' })
  })

  test('keeps values of keys that only resemble a credential', async () => {
    const inputs = {
      token_count: 'a',
      total_tokens: 'a',
      tokens: 'a',
      tokenizer: 'a',
      token_type: 'a',
      secrets_manager: 'a',
      secretary: 'a',
      cookies_accepted: 'a',
      bearer_of: 'a',
      jwt_issuer: 'a',
      database: 'a',
      credential_type: 'a',
      password_hint: 'b',
      my_authorization: 'c',
      api_key_name: 'd',
      authorization_url: 'e',
      max_tokens: 'f',
      key: 'g',
    }
    expect(await inputsAfter(inputs)).toEqual(inputs)
  })

  test('searches nested objects and lists', async () => {
    const inputs = { deep: [{ config: { api_key: 'hidden', region: 'eu' } }, [{ authorization: 'hidden' }]] }
    expect(await inputsAfter(inputs)).toEqual({
      deep: [{ config: { api_key: 'REDACTED', region: 'eu' } }, [{ authorization: 'REDACTED' }]],
    })
  })

  test('replaces only non-empty strings; other values are searched', async () => {
    const inputs = { api_key: '', a: { api_key: 5 }, b: { api_key: null }, c: { api_key: true } }
    expect(await inputsAfter(inputs)).toEqual(inputs)
    const nested = { api_key: { name: 'shown', secret_key: 'hidden' } }
    expect(await inputsAfter(nested)).toEqual({ api_key: { name: 'shown', secret_key: 'REDACTED' } })
  })

  test('covers attributes', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', attributes: { http: { authorization: 'hidden' } } })
    expect((await project.readExisting('a')).attributes).toEqual({ http: { authorization: 'REDACTED' } })
  })

  test('covers complete calls', async () => {
    const project = freshProject(server)
    await project.complete({ id: 'a', inputs: { api_key: 'hidden' }, attributes: { api_key: 'hidden' } })
    expect(await project.readExisting('a')).toMatchObject({
      inputs: { api_key: 'REDACTED' },
      attributes: { api_key: 'REDACTED' },
    })
  })

  test('does not change output and summary', async () => {
    const project = freshProject(server)
    await project.add({ id: 'a', output: { api_key: 'shown' }, summary: { api_key: 'shown' } })
    const call = await project.readExisting('a')
    expect(call.output).toEqual({ api_key: 'shown' })
    expect(call.summary['api_key']).toBe('shown')
  })

  test('can be switched off', async () => {
    const open = await startServer({ env: { TRACELAKE_REDACT: 'off' } })
    try {
      const project = freshProject(open.client)
      await project.add({ id: 'a', inputs: { api_key: 'shown' } })
      expect((await project.readExisting('a')).inputs).toEqual({ api_key: 'shown' })
    } finally {
      await open.stop()
    }
  }, 120_000)
})
