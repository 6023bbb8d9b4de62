import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { refusal, S3Server } from '../lake/s3-server.ts'
import { CommandChild } from './command.ts'

setDefaultTimeout(120_000)

const folder = await makeTempFolder()
const server = await new S3Server().start()
afterAll(async () => {
  await server.stop()
  await removeFolder(folder)
})

const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_EC2_METADATA_DISABLED: 'true' }
const probe = (address: string, env: Record<string, string> = keys) =>
  new CommandChild(['lake', 'probe', address], { HOME: folder, AWS_ENDPOINT_URL_S3: server.endpoint, ...env }).ended()

test('a store with everything is accepted, and left as it was', async () => {
  const { out, err, code } = await probe('s3://lake/some/prefix')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('one winner of put-if-absent: yes')
  expect(out).toContain('a log with one writer: yes')
  expect(out).toEndWith('s3://lake/some/prefix has everything that a lake needs.\n')
  expect([...server.objects.objects.keys()]).toEqual([])
})

test('a folder is, too', async () => {
  const { out, code } = await probe(join(folder, 'lake'))
  expect([code, out]).toEqual([0, expect.stringContaining('has everything that a lake needs')])
  expect(
    (await readdir(join(folder, 'lake'), { recursive: true, withFileTypes: true })).filter((e) => e.isFile()),
  ).toEqual([])
})

test.each([
  ['ftp://lake', {}, 2, 'error: A lake must be s3://<bucket>/<prefix> or a folder, not "ftp://lake"\n'],
  ['s3://lake/a b', {}, 2, 'error: The prefix of a lake may have letters, digits'],
  ['s3://other/a', keys, 1, 'error: s3://other/a cannot hold a lake: write and read\n'],
  ['s3://lake/a', { AWS_EC2_METADATA_DISABLED: 'true' }, 2, 'error: No AWS credentials are set; set AWS_ACCESS_KEY_ID'],
] as const)('%s with %j ends with exit code %d', async (address, env, expected, words) => {
  const { err, code } = await probe(address, env)
  expect(code).toBe(expected)
  expect(err).toStartWith(words)
})

test('what is missing is printed, and nothing is left', async () => {
  server.fault = (request) => (request.headers.has('if-match') ? refusal(501, 'NotImplemented') : undefined)
  const { out, err, code } = await probe('s3://lake/a')
  server.fault = () => undefined
  expect(code).toBe(1)
  expect(out).toMatch(/one winner of put-if-match: Cannot write .*: the store at .* does not have this operation/)
  expect(err).toBe('error: s3://lake/a cannot hold a lake: one winner of put-if-match, a log with one writer\n')
  expect([...server.objects.objects.keys()]).toEqual([])
})
