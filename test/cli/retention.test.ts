import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandChild, runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

let parent: string
let data: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tracelake-retention-'))
  data = join(parent, 'data')
  await makeSampleFolder(data)
}, 120_000)
afterEach(() => rm(parent, { recursive: true }))

const count = async (table: string, ...words: string[]): Promise<number> => {
  const { out, err } = await runCommand(
    'sql',
    `SELECT count(*) AS n FROM ${table}`,
    '--format',
    'jsonl',
    '--data',
    data,
    ...words,
  )
  expect(err).toBe('')
  return Number(JSON.parse(out).n)
}

test('erase removes a project from a folder that no server has open', async () => {
  expect(await count('calls')).toBe(6)
  const unconfirmed = await runCommand('erase', 'acme/one', '--data', data)
  expect(unconfirmed).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
  expect(await runCommand('erase', 'acme', '--yes', '--data', data)).toMatchObject({ code: 2 })
  const { out, code } = await runCommand('erase', 'acme/one', '--yes', '--data', data)
  expect(out).toMatch(/^Erased acme\/one; rows removed: \d+\.\n$/)
  expect(code).toBe(0)
  for (const table of ['calls', 'objects', 'files', 'table_rows']) expect(await count(table)).toBe(0)
  expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
}, 120_000)

test('retention is set and listed', async () => {
  expect(await runCommand('retention', 'list', '--data', data)).toMatchObject({
    code: 0,
    out: expect.stringContaining('for ever'),
  })
  const set = await runCommand('retention', 'set', 'acme/one', '30', '--data', data)
  expect(set).toMatchObject({ code: 0, out: 'acme/one keeps its calls for 30 days.\n' })
  expect((await runCommand('retention', 'list', '--data', data)).out).toMatch(/^acme\/one +30 +\S+ +command line$/m)
  const refused = ['0', '1.5', 'x', '40000'].map((days) =>
    runCommand('retention', 'set', 'acme/one', days, '--data', data),
  )
  expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([2, 2, 2, 2])
  await runCommand('retention', 'set', 'acme/one', 'forever', '--data', data)
  expect((await runCommand('retention', 'list', '--data', data)).out).toContain('for ever')
}, 120_000)

test('usage lists the disk that projects and tables use', async () => {
  const { out, err, code } = await runCommand('usage', '--data', data)
  expect({ err, code }).toEqual({ err: '', code: 0 })
  expect(out).toMatch(/^acme\/one +6 +\S+ \S+ +\S+ \S+$/m)
  expect(out).toMatch(/^calls +6 +\d+ +\S+ \S+$/m)
  expect(out).toContain(`${data}: `)
  const { projects } = JSON.parse((await runCommand('usage', '--json', '--data', data)).out)
  expect(projects).toMatchObject([{ project_id: 'acme/one', calls: 6 }])
}, 120_000)

test('sql --as-of reads an old version while its files are kept', async () => {
  const versionOf = () =>
    readdirSync(join(data, 'tables', 'calls', '_delta_log')).filter((name) => name.endsWith('.json')).length - 1
  const before = versionOf()
  const stored = await count('calls', '--as-of', String(before))
  const beforeTime = new Date().toISOString()
  const compact = new CommandChild(['compact', '--data', data], { TRACELAKE_VERSIONS_KEPT_MIN: '60' })
  expect((await compact.ended()).code).toBe(0)
  expect(versionOf()).toBeGreaterThan(before)
  expect(stored).toBe(5)
  expect(await count('calls')).toBe(6)
  expect(await count('calls', '--as-of', String(before))).toBe(5)
  expect(await count('calls', '--as-of', beforeTime)).toBe(5)
  // Without that setting, the next clean stop removes replaced files.
  await runCommand('flush', '--data', data)
  for (const [asOf, why] of [
    [String(before), 'TRACELAKE_VERSIONS_KEPT_MIN'],
    ['999', 'does not exist'],
    ['2001-01-01', 'does not exist'],
    ['2999-01-01', 'future'],
    ['yesterday', 'version number or a time'],
  ] as const) {
    const { code, err } = await runCommand('sql', 'SELECT count(*) FROM calls', '--data', data, '--as-of', asOf)
    expect({ asOf, code, err }).toEqual({ asOf, code: 2, err: expect.stringContaining(why) })
  }
}, 120_000)
