import { afterAll, afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../conformance/support/until.ts'
import { ServerChild } from '../crash/server-child.ts'
import { type Fault, refusal, S3Server } from '../lake/s3-server.ts'
import { CommandChild } from './command.ts'

setDefaultTimeout(120_000)

const folder = await makeTempFolder()
const server = await new S3Server().start()
afterEach(() => {
  server.fault = () => undefined
  server.objects.objects.clear()
})
afterAll(async () => {
  await server.stop()
  await removeFolder(folder)
})

const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_EC2_METADATA_DISABLED: 'true' }
const environment = () => ({ HOME: folder, AWS_ENDPOINT_URL_S3: server.endpoint, TRACELAKE_PORT: '0', ...keys })

function serve(address: string, env: Readonly<Record<string, string>> = {}, data = join(folder, 'cache')) {
  const words = ['serve', '--lake', address, '--data', data]
  return new CommandChild(words, { ...environment(), ...env }).ended()
}

const put = (name: string, value: unknown) =>
  server.objects.run({ kind: 'put', name, bytes: new TextEncoder().encode(JSON.stringify(value)), when: undefined })

const whenever =
  (answer: () => Response): Fault =>
  () =>
    answer()

const noKeys = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }
const wrongRegion = '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-central-1</Region></Error>'

test.each<readonly [string, string, Record<string, string>, Fault, number, RegExp]>([
  ['a wrong bucket', 's3://other/a', {}, () => undefined, 2, /there is no bucket "other"/],
  ['no credentials', 's3://lake/a', noKeys, () => undefined, 2, /No AWS credentials are set/],
  [
    'wrong credentials',
    's3://lake/a',
    {},
    whenever(() => refusal(403, 'InvalidAccessKeyId')),
    2,
    /the store refuses these credentials/,
  ],
  [
    'a wrong region',
    's3://lake/a',
    {},
    whenever(() => new Response(wrongRegion, { status: 400 })),
    2,
    /is not in us-east-1; set AWS_REGION to eu-central-1/,
  ],
  [
    'a wrong clock',
    's3://lake/a',
    {},
    whenever(() => refusal(403, 'RequestTimeTooSkewed')),
    2,
    /the clock of this machine is wrong/,
  ],
  [
    'a wrong endpoint',
    's3://lake/a',
    { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' },
    () => undefined,
    1,
    /no answer from http:\/\/127.0.0.1:1; check the endpoint/,
  ],
  ['an invalid address', 'ftp://lake', {}, () => undefined, 2, /A lake must be s3:/],
  [
    'a store without conditional writes',
    's3://lake/a',
    {},
    ({ headers }) => (headers.has('if-match') ? refusal(501, 'NotImplemented') : undefined),
    2,
    /Cannot keep data in s3:\/\/lake\/a: it lacks one winner of put-if-match/,
  ],
])('%s is refused in one line, and nothing is written', async (_, address, env, fault, expected, words) => {
  server.fault = fault
  const { out, err, code } = await serve(address, env)
  expect([code, out]).toEqual([expected, ''])
  expect(err).toMatch(/^tracelake: [^\n]+\n$/)
  expect(err).toMatch(words)
  expect([...server.objects.objects.keys()]).toEqual([])
})

test.each<readonly [string, string, unknown, RegExp]>([
  ['something else', 'a/photo.jpg', 'x', /it has something else \("photo.jpg"\)/],
  ['a later lake', 'a/lake.json', { format: 2 }, /a later version of tracelake keeps its data in it/],
  ['half of a copy', 'a/copy.json', { tables: {}, is_complete: false }, /run "tracelake copy" again/],
])('a prefix with %s is refused, and left as it was', async (_, name, value, words) => {
  put(name, value)
  const { err, code } = await serve('s3://lake/a')
  expect(code).toBe(2)
  expect(err).toMatch(words)
  expect([...server.objects.objects.keys()]).toEqual([name])
})

test('a folder with data of its own is not taken as a cache', async () => {
  const own = join(folder, 'own')
  mkdirSync(own)
  writeFileSync(join(own, 'keys.json'), '{}')
  const { err, code } = await serve('s3://lake/a', {}, own)
  expect(code).toBe(2)
  expect(err).toContain('it has "keys.json" of its own; choose an empty or new folder')
  expect(readdirSync(own)).toEqual(['keys.json'])
})

test('a cache is refused as a data folder, and is emptied before it serves another lake', async () => {
  const data = join(folder, 'used')
  const start = (lake: string) =>
    new ServerChild({ kind: 'plain', data, adminKey: 'k'.repeat(40), env: { ...environment(), TRACELAKE_LAKE: lake } })
  const first = start('s3://lake/a')
  const client = await first.listening()
  const call = { project_id: 'acme/a', id: 'one', op_name: 'op', trace_id: 't', started_at: '2026-01-31T12:00:00Z' }
  // On a slow machine a node may renew its lease late, and answers 503 until then.
  let status = 503
  await until(async () => {
    status = (await client.post('/call/start', { start: { ...call, attributes: {}, inputs: {} } })).status
    return status !== 503
  })
  expect(status).toBe(200)
  expect(await first.stop()).toBe(0)
  for (const words of [['serve', '--port', '0'], ['verify'], ['flush']]) {
    const { err, code } = await new CommandChild([...words, '--data', data]).ended()
    expect([words[0], code, err]).toEqual([words[0], 2, expect.stringContaining('it is only a cache of s3://lake/a')])
  }
  const other = start('s3://lake/b')
  const reader = await other.listening()
  let answer: unknown
  await until(async () => {
    const found = await reader.post('/calls/query_stats', { project_id: 'acme/a' })
    answer = found
    return found.status !== 503
  })
  expect(answer).toMatchObject({ status: 200, json: { count: 0 } })
  expect(await other.stop()).toBe(0)
})
