import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { renewedLease } from '../lake/renewed-lease.ts'
import { S3Server } from '../lake/s3-server.ts'
import { CommandChild, runCommand } from './command.ts'
import { LakeServer, sampleIds } from './lake-server.ts'

setDefaultTimeout(240_000)

const folder = await makeTempFolder()
const temporary = join(folder, 'tmp')
const store = await new S3Server().start()
store.listedAtOnce = 1000
const lake = 's3://lake/a'
const node = new LakeServer({ folder, store, lake })
beforeAll(async () => {
  await mkdir(temporary)
  await node.start()
  await node.fill()
})
afterAll(async () => {
  await node.kill()
  await store.stop()
  await removeFolder(folder)
})

const env = { ...node.environment, TMPDIR: temporary }
const run = (...words: string[]) => new CommandChild([...words, '--lake', lake], env).ended()

async function idsIn(project: string): Promise<string[]> {
  const statement = `SELECT id FROM calls WHERE project_id = '${project}' ORDER BY id`
  const { out, err } = await run('sql', '--format', 'csv', statement)
  expect(err).toBe('')
  return out.trim().split('\n').slice(1)
}

const namesOf = (form: RegExp) => [...store.objects.objects.keys()].filter((name) => form.test(name))
const callParts = () => namesOf(/^a\/tables\/calls\/part-/)
const callCommits = () => namesOf(/^a\/tables\/calls\/_delta_log\/\d+\.json$/).length

test('commands that only read do so beside a node', async () => {
  const { out, err } = await run('usage')
  expect(err).toBe('')
  expect(out).toMatch(/^acme\/one +3 /m)
  expect(out).toMatch(/^calls +3 /m)
  expect(out).toContain(`${lake}: `)
  expect((await run('jobs', 'list')).out).toBe(`No pending jobs in ${lake}.\n`)
  expect((await run('retention', 'list')).out).toBe(`All projects in ${lake} keep their calls for ever.\n`)
  expect((await run('repair')).out).toBe(`${lake}: no damaged data files.\n`)
  const checked = await run('upgrade-check')
  expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('It can open the data')])
  const kept = await run('jobs', 'list', '--data', join(folder, 'kept'))
  expect([kept.code, kept.err]).toEqual([2, expect.stringContaining('leave it out')])
  // On a slow machine, the node has put earlier rows into files; these are only in its log.
  await node.send(['c'])
})

const changing: readonly (readonly string[])[] = [
  ['flush'],
  ['compact'],
  ['repair', '--yes'],
  ['retention', 'set', 'acme/one', '30'],
  ['jobs', 'drop', 'no-such-job'],
  ['erase', 'acme/one', '--yes'],
]
test.each(changing)('%s refuses a lake that a node serves, and says what to do', async (...words) => {
  await node.kill()
  store.fault = renewedLease(store, 'a')
  const { out, err, code } = await run(...words)
  store.fault = () => undefined
  expect([out, code]).toEqual(['', 2])
  expect(err).toMatch(/^error: Cannot change s3:\/\/lake\/a: node web-1:7 serves it; .+\n$/)
})

test('commands change a lake whose node was killed', async () => {
  const flushed = await run('flush')
  expect(flushed).toMatchObject({ code: 0 })
  // A call, and what the audit log has of the work before.
  expect(flushed.out).toMatch(/^Flushed s3:\/\/lake\/a; rows written from the log: [1-9]\d*\.\n/)
  const [parts, version] = [callParts(), callCommits() - 1]
  const compacted = await run('compact', '--data', join(folder, 'cache'))
  expect(compacted).toMatchObject({ code: 0 })
  expect(compacted.out).toContain(`Compacted ${lake}: `)
  expect(await idsIn('acme/one')).toEqual(sampleIds)
  // Until the next node has removed what was replaced, earlier versions can be read.
  expect(callCommits() - 1).toBeGreaterThan(version)
  const asOf = () => run('sql', '--as-of', String(version), '--format', 'csv', 'SELECT id FROM calls ORDER BY id')
  expect((await asOf()).out.trim().split('\n').slice(1)).toEqual(sampleIds)
  for (const name of parts) store.objects.objects.delete(name)
  const gone = await asOf()
  expect([gone.code, gone.err]).toEqual([2, expect.stringContaining('TRACELAKE_VERSIONS_KEPT_MIN')])
  expect(await idsIn('acme/one')).toEqual(sampleIds)
  expect((await run('retention', 'set', 'acme/one', '20000')).code).toBe(0)
  expect((await run('retention', 'list')).out).toMatch(/^acme\/one +20000 +\S+ +command line$/m)
  expect((await run('jobs', 'drop', 'no-such-job')).err).toContain('there is no such job')
  expect((await run('verify')).code).toBe(0)
  // A cache says what to do, and that is true.
  const refused = await runCommand('flush', '--data', join(folder, 'cache'))
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`cache of ${lake}; give that address`)])
})

test('a node serves what commands have left, and an erased project is gone', async () => {
  const erased = await run('erase', 'acme/one', '--yes')
  expect(erased.code).toBe(0)
  expect(erased.out).toMatch(/^Erased acme\/one; rows removed: \d+\.\n$/)
  expect(await idsIn('acme/one')).toEqual([])
  await node.start()
  await node.send(['d'])
  expect(await idsIn('acme/one')).toEqual(['d'])
  expect((await run('verify')).code).toBe(0)
})

test('repair takes a damaged object out of a lake, and keeps it aside', async () => {
  for (const id of ['e', 'g']) {
    await node.send([id])
    await node.flush()
  }
  await node.kill()
  const { objects } = store.objects
  const [other = '', name = ''] = callParts().slice(-2)
  const object = objects.get(name) ?? { bytes: new Uint8Array(), tag: '' }
  const damaged = object.bytes.map((byte, at) => (at === 100 ? byte ^ 255 : byte))
  objects.set(name, { ...object, bytes: damaged })
  // An index of another file, which the next node builds again.
  const index = `${other.replace('/part-', '/_filters/part-')}.index`
  expect(objects.has(index)).toBe(true)
  objects.set(index, { bytes: new Uint8Array(100), tag: 'damaged' })
  const planned = await run('repair')
  expect([planned.code, planned.out]).toEqual([1, expect.stringContaining(name.slice('a/'.length))])
  expect(planned.err).toContain('run again with --yes')
  const repaired = await run('repair', '--yes')
  expect(repaired).toMatchObject({ code: 0 })
  expect(repaired.out).toContain('1 file repaired')
  expect(objects.get(name.replace('/part-', '/_quarantine/part-'))?.bytes).toEqual(damaged)
  expect(objects.get(index)).toBeUndefined()
  expect(await run('verify')).toMatchObject({ code: 0 })
  expect((await run('repair')).out).toBe(`${lake}: no damaged data files.\n`)
  await node.start()
  await node.send(['f'])
  expect(await idsIn('acme/one')).toContain('f')
})

test('a prefix without a lake stays empty, and temporary folders are gone', async () => {
  const elsewhere = await new CommandChild(['flush', '--lake', 's3://lake/b'], env).ended()
  expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining('There is no lake in s3://lake/b')])
  expect([...store.objects.objects.keys()].filter((name) => name.startsWith('b/'))).toEqual([])
  expect(await readdir(temporary)).toEqual([])
})
