import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { S3Server } from '../lake/s3-server.ts'
import { CommandChild, runCommand } from './command.ts'
import { LakeServer, sampleIds } from './lake-server.ts'

setDefaultTimeout(240_000)

const folder = await makeTempFolder()
const store = await new S3Server().start()
const node = new LakeServer({ folder, store, lake: 's3://lake/a' })
beforeAll(async () => {
  await node.start()
  await node.fill()
})
afterAll(async () => {
  await node.kill()
  await store.stop()
  await removeFolder(folder)
})

const run = (...words: string[]) => new CommandChild([...words, '--lake', 's3://lake/a'], node.environment).ended()
const idsOf = (out: string) => out.trim().split('\n').slice(1)
const allIds = 'SELECT id FROM calls ORDER BY id'

/** The data files and indexes that somebody reads meanwhile. */
async function dataFetchedBy(work: () => Promise<void>): Promise<Set<string>> {
  const before = store.requests.length
  await work()
  return new Set(store.requests.slice(before).filter((line) => /^GET [^?]*part-/.test(line)))
}

test('sql reads what a node serves, also rows that are only in its log', async () => {
  const requests = store.requests.length
  const { out, code } = await run('sql', '--format', 'csv', allIds)
  expect(code).toBe(0)
  expect(idsOf(out)).toEqual(sampleIds)
  // Only what the statement names.
  const listed = store.requests.slice(requests).filter((line) => line.includes('prefix=a%2Ftables%2F'))
  expect(listed.filter((line) => line.includes('%2Fcalls%2F'))).not.toEqual([])
  expect(listed.filter((line) => line.includes('%2Fobjects%2F'))).toEqual([])
})

test('sql keeps what it has fetched in a folder that is named', async () => {
  const kept = join(folder, 'kept')
  const fetched = await dataFetchedBy(async () => {
    expect(idsOf((await run('sql', '--format', 'csv', '--data', kept, allIds)).out)).toEqual(sampleIds)
  })
  expect(fetched.size).toBeGreaterThan(0)
  const again = await dataFetchedBy(async () => {
    expect(idsOf((await run('sql', '--format', 'csv', '--data', kept, allIds)).out)).toEqual(sampleIds)
  })
  expect(again.intersection(fetched)).toEqual(new Set())
  const { code, err } = await runCommand('verify', '--data', kept)
  expect([code, err]).toEqual([2, expect.stringContaining('it is only a cache of s3://lake/a; give that address')])
  const other = await new CommandChild(
    ['sql', '--lake', 's3://lake/b', '--data', kept, allIds],
    node.environment,
  ).ended()
  expect([other.code, other.err]).toEqual([2, expect.stringContaining('There is no lake in s3://lake/b')])
})

test('an error of a statement is the one of DuckDB', async () => {
  const { out, err, code } = await run('sql', 'SELECT nothing FROM calls')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('tracelake: Binder Error')
})

test('verify checks a lake beside its node, and reports what is missing', async () => {
  const { out, code } = await run('verify')
  expect(code).toBe(0)
  expect(out).toMatch(/^s3:\/\/lake\/a: no problems in \d+ tables, .* and 1 file contents\.\n$/)
  const names = [...store.objects.objects.keys()]
  const lost = names.find((name) => /tables\/objects\/part-/.test(name)) ?? ''
  const object = store.objects.objects.get(lost)
  store.objects.objects.delete(lost)
  const failed = await run('verify')
  if (object !== undefined) store.objects.objects.set(lost, object)
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('s3://lake/a: found ')])
  expect(failed.out).toContain(lost.slice('a/'.length))
})

test('views name the address of the lake', async () => {
  const { out, code } = await run('views', '--engine', 'clickhouse')
  expect(code).toBe(0)
  expect(out).toContain('s3://lake/a/tables/calls')
})

test('a backup of a lake can be served, and is incremental', async () => {
  const to = join(folder, 'backup')
  const fetched = await dataFetchedBy(async () => {
    const { out, code } = await run('backup', '--to', to)
    expect(code).toBe(0)
    expect(out).toStartWith(`Backed up s3://lake/a to ${to}: `)
  })
  await expectWhole(to, sampleIds)
  await node.send(['later'])
  await node.flush()
  await node.send(['latest'])
  const again = await dataFetchedBy(async () => {
    expect((await run('backup', '--to', to)).code).toBe(0)
  })
  expect(again.intersection(fetched)).toEqual(new Set())
  await expectWhole(to, [...sampleIds, 'later', 'latest'].sort())
  expect(await readdir(folder)).not.toContain('backup.arriving')
})

test('a lake that is served is copied back, however often the copy is killed', async () => {
  const ids = idsOf((await run('sql', '--format', 'csv', allIds)).out)
  expect(ids).toContain('c')
  store.objects.run({
    kind: 'put',
    name: 'a/secrets-key.json',
    bytes: new TextEncoder().encode(JSON.stringify({ version: 1, key: 'a1'.repeat(32) })),
    when: undefined,
  })
  const taken = join(folder, 'taken')
  await mkdir(join(taken, 'tables'), { recursive: true })
  expect((await copy(taken)).code).toBe(2)
  expect(await readdir(folder)).not.toContain('taken.secrets-key')
  const planned = await copy(join(folder, 'planned'), '--dry-run')
  expect(planned.out).toStartWith('Would copy s3://lake/a to ')
  expect(await readdir(folder)).not.toContain('planned')
  const back = join(folder, 'back')
  for (const killedAt of [3, 12]) {
    let gets = 0
    const reached = Promise.withResolvers<void>()
    store.fault = ({ method, url }) => {
      if (method === 'GET' && url.includes('/tables/') && ++gets === killedAt) reached.resolve()
      return undefined
    }
    const child = new CommandChild(['copy', 's3://lake/a', back], node.environment)
    await Promise.race([reached.promise, child.ended()])
    store.fault = () => undefined
    // No server opens half of it.
    if (await child.kill()) expect(await runCommand('flush', '--data', back)).toMatchObject({ code: 2 })
  }
  const { out, code } = await copy(back)
  expect(code).toBe(0)
  expect(out).toStartWith(`Copied s3://lake/a to ${back}: `)
  await expectWhole(back, ids)
  expect(await readFile(`${back}.secrets-key`, 'utf8')).toBe(`${'a1'.repeat(32)}\n`)
  expect((await runCommand('flush', '--data', back)).code).toBe(0)
  await expectWhole(back, ids)
})

const copy = (to: string, ...words: string[]) =>
  new CommandChild(['copy', 's3://lake/a', to, ...words], node.environment).ended()

async function expectWhole(data: string, ids: readonly string[]): Promise<void> {
  const { out } = await runCommand('sql', '--data', data, '--format', 'csv', allIds)
  expect(idsOf(out)).toEqual([...ids])
  const verified = await runCommand('verify', '--data', data)
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('no problems')])
}
