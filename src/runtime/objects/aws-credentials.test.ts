import { expect, test } from 'bun:test'
import { findAwsSetup } from './aws-credentials.ts'
import type { AwsSurroundings } from './aws-surroundings.ts'

const hour = 3_600_000
const missing = (file: string) => Object.assign(new Error(`${file} is missing`), { code: 'ENOENT' })

/** Settings, files and answers by address; `sent` has the requests. */
function surroundings(
  variables: Record<string, string>,
  files: Record<string, string> = {},
  answers: Record<string, () => Response> = {},
) {
  const sent: { url: string; init: RequestInit }[] = []
  const clock = { nowMs: () => now.ms }
  const now = { ms: Date.parse('2026-01-01T00:00:00Z') }
  const around: AwsSurroundings = {
    variable: (name) => variables[name],
    readText: async (file) => {
      const text = files[file]
      if (text === undefined) throw missing(file)
      return text
    },
    send: async (url, init) => {
      sent.push({ url, init })
      const answer = answers[url]
      if (answer === undefined) throw new Error('No route to host')
      return answer()
    },
    clock,
    home: '/home/u',
  }
  return { around, sent, now }
}

const lentUntil = (Expiration: string, AccessKeyId = 'lent') =>
  Response.json({ Code: 'Success', AccessKeyId, SecretAccessKey: 's', Token: 't', Expiration })
const lent = { accessKeyId: 'lent', secretAccessKey: 's', sessionToken: 't' }

const ini = `
[default]
aws_access_key_id = d-key
aws_secret_access_key = d-secret
[work]
aws_access_key_id=w-key
aws_secret_access_key=w-secret
`
const config = `
[profile work]
region = eu-north-1 
endpoint_url = https://store.example.com
s3 =
  addressing_style = path
[profile "sso user"]
sso_session = house
`
const files = { '/home/u/.aws/credentials': ini, '/home/u/.aws/config': config }

test('the environment comes first, then the profile', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'e-key', AWS_SECRET_ACCESS_KEY: 'e-secret', AWS_REGION: 'us-west-2' }
  const ofEnvironment = await findAwsSetup(surroundings(keys, files).around)
  expect(await ofEnvironment.credentials()).toEqual({ accessKeyId: 'e-key', secretAccessKey: 'e-secret' })
  expect(ofEnvironment.region).toBe('us-west-2')
  const ofDefault = await findAwsSetup(surroundings({}, files).around)
  expect(await ofDefault.credentials()).toEqual({ accessKeyId: 'd-key', secretAccessKey: 'd-secret' })
  const ofWork = await findAwsSetup(surroundings({ AWS_PROFILE: 'work' }, files).around)
  expect(await ofWork.credentials()).toEqual({ accessKeyId: 'w-key', secretAccessKey: 'w-secret' })
  expect([ofWork.region, ofWork.endpoint]).toEqual(['eu-north-1', 'https://store.example.com'])
})

test('what is incomplete or unsupported is refused with its name', async () => {
  const refused = (variables: Record<string, string>) =>
    findAwsSetup(surroundings(variables, files).around).then(
      () => 'accepted',
      (cause: unknown) => String(cause),
    )
  expect(await refused({ AWS_ACCESS_KEY_ID: 'a' })).toContain('AWS_SECRET_ACCESS_KEY must be set, too')
  expect(await refused({ AWS_PROFILE: 'none' })).toContain('AWS_PROFILE is "none", but neither')
  expect(await refused({ AWS_PROFILE: 'sso user' })).toContain('uses sso_session, which is not supported')
  expect(await refused({ AWS_WEB_IDENTITY_TOKEN_FILE: '/token' })).toContain('AWS_ROLE_ARN must be set')
})

test('a web identity, whose token may be replaced', async () => {
  const answer = () =>
    new Response(
      '<R><Credentials><AccessKeyId>lent</AccessKeyId><SecretAccessKey>s</SecretAccessKey>' +
        '<SessionToken>t</SessionToken><Expiration>2026-01-01T01:00:00Z</Expiration></Credentials></R>',
    )
  const tokens: Record<string, string> = { '/token': 'first\n' }
  const settings = { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn:role', AWS_REGION: 'eu-west-1' }
  const { around, sent, now } = surroundings(settings, tokens, { 'https://sts.eu-west-1.amazonaws.com/': answer })
  const { credentials } = await findAwsSetup(around)
  expect(await Promise.all([credentials(), credentials()])).toMatchObject([lent, lent])
  expect(sent).toHaveLength(1)
  now.ms += hour
  tokens['/token'] = 'second'
  // What was lent has expired already: it is used once, and asked for again.
  expect(await credentials()).toMatchObject(lent)
  expect(sent.map(({ init }) => new URLSearchParams(String(init.body)).get('WebIdentityToken'))).toEqual([
    'first',
    'second',
  ])
})

test('the role of a container, renewed before it ends; a failure uses what is still valid', async () => {
  const url = 'http://169.254.170.2/v2/credentials'
  let answer = () => lentUntil('2026-01-01T01:00:00Z')
  const { around, sent, now } = surroundings(
    { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials' },
    {},
    {
      [url]: () => answer(),
    },
  )
  const { credentials } = await findAwsSetup(around)
  expect(await credentials()).toMatchObject(lent)
  now.ms += hour - 301_000
  await credentials()
  expect(sent).toHaveLength(1)
  now.ms += 2_000
  answer = () => new Response('no', { status: 500 })
  expect(await credentials()).toMatchObject(lent)
  expect(await credentials()).toMatchObject(lent)
  expect(sent).toHaveLength(2)
  now.ms += 11_000
  answer = () => lentUntil('2026-01-01T02:00:00Z', 'next')
  expect(await credentials()).toMatchObject({ accessKeyId: 'next' })
  now.ms += 2 * hour
  answer = () => new Response('no', { status: 500 })
  await expect(credentials()).rejects.toThrow('Cannot get AWS credentials: 169.254.170.2 refuses them: status 500')
})

test('a container that is told to ask an unknown host without TLS refuses', async () => {
  const { around } = surroundings({ AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/c' })
  const { credentials } = await findAwsSetup(around)
  await expect(credentials()).rejects.toThrow('must be an https address')
})

test('the role of an instance', async () => {
  const base = 'http://169.254.169.254/latest'
  const roles = `${base}/meta-data/iam/security-credentials/`
  const { around, sent } = surroundings(
    {},
    {},
    {
      [`${base}/api/token`]: () => new Response('session'),
      [roles]: () => new Response('node\n'),
      [`${roles}node`]: () => lentUntil('2026-01-01T06:00:00Z'),
    },
  )
  expect(await (await findAwsSetup(around)).credentials()).toMatchObject(lent)
  expect(sent.at(-1)?.init.headers).toEqual({ 'x-aws-ec2-metadata-token': 'session' })
})

test('without any, an error says what to set', async () => {
  const { credentials } = await findAwsSetup(surroundings({}).around)
  await expect(credentials()).rejects.toThrow('no answer from 169.254.169.254; set AWS_ACCESS_KEY_ID, or give')
  const disabled = findAwsSetup(surroundings({ AWS_EC2_METADATA_DISABLED: 'true' }).around)
  await expect(disabled).rejects.toThrow('No AWS credentials are set')
})
