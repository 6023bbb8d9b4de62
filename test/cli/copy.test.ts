import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { ServerChild } from '../crash/server-child.ts'
import { S3Server } from '../lake/s3-server.ts'
import { CommandChild, runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

setDefaultTimeout(240_000)

const folder = await makeTempFolder()
const data = join(folder, 'data')
const server = await new S3Server().start()
const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_EC2_METADATA_DISABLED: 'true' }
const started = (words: readonly string[], endpoint = server.endpoint) =>
  new CommandChild(['copy', ...words], { HOME: folder, AWS_ENDPOINT_URL_S3: endpoint, ...keys })
const copy = (...words: string[]) => started(words).ended()

beforeAll(() => makeSampleFolder(data))
afterAll(async () => {
  await server.stop()
  await removeFolder(folder)
})

const objectsAt = (prefix: string) =>
  [...server.objects.objects.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))

/** The calls of a folder, without a server. */
async function callsOf(at: string): Promise<string> {
  const { out, err, code } = await runCommand('sql', '--data', at, 'SELECT id FROM calls ORDER BY id')
  expect([code, err]).toEqual([0, ''])
  return out
}

/** The names and contents of the tables and blobs of a folder. */
async function contentOf(at: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const entry of await readdir(at, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(at.length + 1)
    if (entry.isFile() && /^(?:tables|blobs)\//.test(name)) found[name] = Bun.hash(await readFile(join(at, name)))
  }
  return found
}

test('rows that are in the write-ahead log only are flushed first', async () => {
  const refused = await copy(data, 's3://lake/a')
  expect([refused.code, refused.err]).toEqual([
    2,
    `error: Cannot copy ${data}: it has rows that are in the write-ahead log only, as after a crash; ` +
      `run "tracelake flush --data ${data}" first\n`,
  ])
  expect((await runCommand('flush', '--data', data)).code).toBe(0)
  expect(objectsAt('')).toEqual([])
})

test('a dry run changes nothing', async () => {
  const before = await contentOf(data)
  const { out, err, code } = await copy(data, 's3://lake/a', '--dry-run')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^Would copy .* to s3:\/\/lake\/a: .* in \d+ new files\.\n.*\nRequests that write: \d+\.\n$/)
  expect(objectsAt('')).toEqual([])
  expect(await contentOf(data)).toEqual(before)
})

test('a folder is copied to a bucket, with the Delta logs last, and back', async () => {
  const { out, err, code } = await copy(data, 's3://lake/a')
  expect([code, err]).toEqual([0, ''])
  expect(out).toStartWith(`Copied ${data} to s3://lake/a: `)
  const puts = server.requests
    .filter((line) => line.startsWith('PUT '))
    .map((line) => line.slice('PUT /lake/a/'.length))
  const firstLog = puts.findIndex((name) => name.includes('/_delta_log/'))
  expect(puts[0]).toBe('copy.json')
  expect(puts.slice(1, firstLog).some((name) => name.endsWith('.parquet'))).toBe(true)
  expect(puts.slice(firstLog, -1).every((name) => name.includes('/_delta_log/'))).toBe(true)
  expect(puts.at(-1)).toBe('copy.json')
  const logOfCalls = puts.filter((name) => name.startsWith('tables/calls/_delta_log/'))
  expect(logOfCalls[0]).toEndWith('.checkpoint.parquet')
  expect(logOfCalls[1]).toEndWith('/_last_checkpoint')

  const back = join(folder, 'back')
  expect((await copy('s3://lake/a', back)).code).toBe(0)
  expect(await callsOf(back)).toBe(await callsOf(data))
  expect((await runCommand('verify', '--data', back)).code).toBe(0)
  const again = await copy('s3://lake/a', back)
  expect([again.code, again.err]).toEqual([2, `error: Cannot copy to ${back}: it is not empty; choose a new folder\n`])
})

test('rows that were deleted last do not prevent a copy of a stopped folder, and are not in it', async () => {
  const deleting = join(folder, 'deleting')
  await cp(data, deleting, { recursive: true })
  const deleteCall = async (id: string, end: 'stop' | 'kill') => {
    const child = new ServerChild({ kind: 'plain', data: deleting, adminKey: 'c'.repeat(40) })
    const client = await child.listening()
    const body = { project_id: 'acme/one', call_ids: [id] }
    expect((await client.post('/calls/delete', body)).status).toBe(200)
    await child[end]()
  }
  await deleteCall('a', 'kill')
  const refused = await copy(deleting, 's3://lake/deleting')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('in the write-ahead log only')])
  await deleteCall('b', 'stop')
  const { code, err } = await copy(deleting, 's3://lake/deleting')
  expect([code, err]).toEqual([0, ''])
  const back = join(folder, 'deleted')
  expect((await copy('s3://lake/deleting', back)).code).toBe(0)
  expect((await callsOf(back)).match(/^[a-f]$/gm)).toEqual(['c', 'd', 'e', 'f'])
  expect((await runCommand('verify', '--data', back)).code).toBe(0)
})

test('an end whose start has not arrived is flushed on request, copied, and finds its start later', async () => {
  const ending = join(folder, 'ending')
  await cp(data, ending, { recursive: true })
  const serving = async (at: string, path: string, body: object) => {
    const child = new ServerChild({ kind: 'plain', data: at, adminKey: 'c'.repeat(40) })
    const client = await child.listening()
    expect((await client.post(path, body)).status).toBe(200)
    await child.stop()
  }
  const call = { project_id: 'acme/one', id: 'late' }
  const end = { ...call, ended_at: '2024-05-01T10:00:09Z', output: 'done', summary: {} }
  await serving(ending, '/call/end', { end })
  const refused = await copy(ending, 's3://lake/ending')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('run "tracelake flush')])
  expect((await runCommand('flush', '--data', ending)).code).toBe(0)
  expect(await copy(ending, 's3://lake/ending')).toMatchObject({ code: 0, err: '' })
  const back = join(folder, 'ended')
  expect((await copy('s3://lake/ending', back)).code).toBe(0)
  expect(await callsOf(back)).not.toContain('late')
  const start = { ...call, op_name: 'op', trace_id: 'late', started_at: '2024-05-01T10:00:00Z' }
  await serving(back, '/call/start', { start: { ...start, attributes: {}, inputs: {} } })
  const { out } = await runCommand('sql', "SELECT output FROM calls WHERE id = 'late'", '--data', back)
  expect(out).toContain('done')
})

test('a second copy adds what is new, and mends what was changed', async () => {
  const unchanged = await copy(data, 's3://lake/a')
  expect(unchanged.out).toContain('0 bytes in 0 new files')
  const [name = ''] = objectsAt('a/').filter((object) => object.endsWith('.parquet'))
  server.objects.run({ kind: 'put', name: `a/${name}`, bytes: new Uint8Array(5), when: undefined })
  expect((await copy(data, 's3://lake/a')).out).toContain(' in 1 new file.')
})

test('a copy that is killed at any request goes on where it was, in both directions', async () => {
  for (const [round, killedAt] of [1, 4, 9, 20, 33].entries()) {
    const prefix = `killed-${round}`
    let puts = 0
    const reached = Promise.withResolvers<void>()
    server.fault = (request) => {
      if (request.method === 'PUT' && request.url.includes(prefix) && ++puts === killedAt) reached.resolve()
      return undefined
    }
    const child = started([data, `s3://lake/${prefix}`])
    await Promise.race([reached.promise, child.ended()])
    await child.kill()
    server.fault = () => undefined
    const again = await copy(data, `s3://lake/${prefix}`)
    expect([again.code, again.err]).toEqual([0, ''])
    expect(objectsAt(`${prefix}/`).sort()).toEqual(objectsAt('a/').sort())

    const back = join(folder, prefix)
    let gets = 0
    const begun = Promise.withResolvers<void>()
    server.fault = (request) => {
      if (request.method === 'GET' && !request.url.includes('list-type') && ++gets === killedAt + 1) begun.resolve()
      return undefined
    }
    const fetching = started([`s3://lake/${prefix}`, back])
    await Promise.race([begun.promise, fetching.ended()])
    await fetching.kill()
    // It may have been complete, or not begun.
    const isHalf = existsSync(join(back, 'backup-unfinished.json'))
    server.fault = () => undefined
    const resumed = await copy(`s3://lake/${prefix}`, back)
    if (isHalf) expect([resumed.code, resumed.err]).toEqual([0, ''])
    expect(await callsOf(back)).toBe(await callsOf(data))
    expect((await runCommand('verify', '--data', back)).code).toBe(0)
    await rm(back, { recursive: true })
  }
})

test('an incomplete copy is not copied back, and no server opens half a folder', async () => {
  server.fault = (request) => (request.method === 'PUT' && request.url.includes('_delta_log') ? forbidden() : undefined)
  const failed = await copy(data, 's3://lake/half')
  server.fault = () => undefined
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('the store refuses these credentials')])
  const back = join(folder, 'half')
  const refused = await copy('s3://lake/half', back)
  expect([refused.code, refused.err]).toEqual([
    2,
    'error: Cannot copy from s3://lake/half: it is incomplete; run the command that made it again\n',
  ])
  server.fault = ({ method, url }) =>
    method === 'GET' && /\.parquet$/.test(new URL(url).pathname) ? forbidden() : undefined
  expect((await copy('s3://lake/a', back)).code).toBe(1)
  server.fault = () => undefined
  await mkdir(join(back, 'tables'), { recursive: true })
  expect((await runCommand('flush', '--data', back)).err).toContain('incomplete backup or copy')
})

const forbidden = () => new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 })

test('targets with something else are left alone', async () => {
  const put = (name: string) =>
    server.objects.run({ kind: 'put', name, bytes: new TextEncoder().encode('{}'), when: undefined })
  put('used/other.txt')
  put('served/log/calls-epoch')
  put('broken/copy.json')
  const other = join(folder, 'other')
  await makeSampleFolder(other)
  await runCommand('flush', '--data', other)
  for (const [from, to, why] of [
    [data, 's3://lake/used', 'it is not empty and no copy: it has other.txt; choose another prefix'],
    [data, 's3://lake/served', 'a server keeps its data there; choose another prefix'],
    [data, 's3://lake/broken', 'its copy.json is damaged; choose another prefix'],
    [other, 's3://lake/a', 'it is a copy of another data folder'],
    ['s3://lake/served', join(folder, 'new'), 'a server keeps its data there'],
    ['s3://lake/used', join(folder, 'new'), 'it is not a copy of a data folder'],
    [data, join(folder, 'new'), 'One of the two places must be a folder'],
    [join(folder, 'none'), 's3://lake/b', 'is not a data folder'],
    [data, 's3://lake/b c', 'The prefix of a lake may have'],
  ] as const) {
    const { code, err } = await copy(from, to)
    expect([to, code, err]).toEqual([to, 2, expect.stringContaining(why)])
  }
  expect(objectsAt('used/')).toEqual(['other.txt'])
})

test('a folder that a server has open is refused', async () => {
  const served = join(folder, 'served')
  await cp(data, served, { recursive: true })
  const child = new ServerChild({ kind: 'plain', data: served, adminKey: 'c'.repeat(40) })
  try {
    await child.listening()
    const { code, err } = await copy(served, 's3://lake/served-folder')
    expect([code, err]).toEqual([2, expect.stringContaining('a server or another command has it open; stop it')])
  } finally {
    await child.stop()
  }
})

test('a file that is damaged on the way is not accepted', async () => {
  server.fault = (request) => {
    const name = decodeURIComponent(new URL(request.url).pathname).slice('/lake/'.length)
    if (request.method !== 'PUT' || !name.startsWith('bits/') || !name.endsWith('.parquet')) return undefined
    server.objects.run({ kind: 'put', name, bytes: new Uint8Array(9), when: undefined })
    return new Response(null, { headers: { etag: '"0"' } })
  }
  const { code, err } = await copy(data, 's3://lake/bits')
  server.fault = () => undefined
  expect([code, err]).toEqual([1, expect.stringContaining('has other bytes than were sent')])
})

const others = (process.env['TRACELAKE_TEST_S3'] ?? '').split(' ').filter(Boolean)
test.each(others)('there and back with %s', async (store) => {
  const endpoint = store.slice(store.indexOf('=') + 1)
  const prefix = `s3://lake/copy-${crypto.randomUUID().slice(0, 8)}`
  const back = join(folder, prefix.slice(-8))
  expect(await started([data, prefix], endpoint).ended()).toMatchObject({ code: 0, err: '' })
  expect((await started([data, prefix], endpoint).ended()).out).toContain('0 bytes in 0 new files')
  expect(await started([prefix, back], endpoint).ended()).toMatchObject({ code: 0, err: '' })
  expect(await callsOf(back)).toBe(await callsOf(data))
  expect((await runCommand('verify', '--data', back)).code).toBe(0)
})
