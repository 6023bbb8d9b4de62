import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tables } from '../../src/engine/tables/tables.ts'
import { runCommand } from './command.ts'
import { makeSampleFolder } from './sample-folder.ts'

const known = await Bun.file(join(import.meta.dir, '../engines/stored_tables.py')).text()

/** The strings in the first brackets after a name. */
const namesAfter = (name: string): string[] => {
  const [, list = ''] = new RegExp(`^${name} = [({]([^]*?)^[)}]$`, 'm').exec(known) ?? []
  return [...list.matchAll(/^ {4}"(\w+)"/gm)].map(([, each]) => each!)
}

test('the tests with other engines know every stored table', () => {
  const listed = [...namesAfter('KEYS'), ...namesAfter('_FURTHER')]
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('the tests with other engines know which columns of calls no file has', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tracelake-columns-'))
  try {
    await makeSampleFolder(data)
    const { out } = await runCommand('sql', 'DESCRIBE calls', '--format', 'jsonl', '--data', data)
    const described = out
      .trim()
      .split('\n')
      .map((line): string => JSON.parse(line).column_name)
    const stored = new Set(tables.find(({ name }) => name === 'calls')!.columns.map(({ name }) => name))
    const computed = described.filter((name) => !stored.has(name)).map((name) => `"${name}"`)
    expect(known).toContain(`COMPUTED = {"calls": (${computed.join(', ')})}`)
  } finally {
    await rm(data, { recursive: true })
  }
}, 120_000)
