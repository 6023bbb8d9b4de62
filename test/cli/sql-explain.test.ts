import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

let parent: string
let data: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracelake-explain-'))
  data = join(parent, 'data')
  await makeSampleFolder(data)
}, 120_000)
afterAll(() => rm(parent, { recursive: true }))

const explain = async (statement: string): Promise<{ out: string; files: string; groups: number; bytes: number }> => {
  const { out, err } = await runCommand('sql', statement, '--explain', '--format', 'csv', '--data', data)
  const cost = /^\d+\.\d ms; (\d+ of \d+) data files, (\d+) row groups, (\d+) bytes read\n$/.exec(err)
  expect([err, cost === null]).toEqual([err, false])
  return { out, files: cost![1]!, groups: Number(cost![2]), bytes: Number(cost![3]) }
}

test('a statement says what it cost after its result', async () => {
  const ids = await explain('SELECT id FROM calls ORDER BY id')
  expect(ids.out).toBe('id\na\nb\nc\nd\ne\nf\n')
  expect([ids.files.split(' of ')[0], ids.groups]).toEqual(['2', 2])
  expect(ids.bytes).toBeGreaterThan(100)
  const all = await explain('SELECT * FROM calls')
  expect(all.bytes).toBeGreaterThan(ids.bytes)
}, 120_000)

test('a statement that reads no data file says so', async () => {
  expect(await explain('SELECT 1 AS one')).toMatchObject({ out: 'one\n1\n', groups: 0, bytes: 0 })
}, 120_000)

test('a statement that fails prints its error only', async () => {
  const { err, code } = await runCommand('sql', 'SELECT nothing FROM calls', '--explain', '--data', data)
  expect([code, err.startsWith('tracelake: Binder Error'), err.includes('bytes read')]).toEqual([1, true, false])
}, 120_000)
