import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { Store } from '../../src/engine/store.ts'
import { tables } from '../../src/engine/tables/tables.ts'
import { systemClock } from '../../src/runtime/platform/clock.ts'
import { runCommand } from './command.ts'

let folder: string
let data: string
let to: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backup-cli-'))
  data = path.join(folder, 'data')
  to = path.join(folder, 'backup')
  const log = pino({ level: 'silent' })
  const store = await Store.open({ dataFolder: data, tables, memoryBytesMax: 256e6, clock: systemClock, log })
  await store.close()
})
afterAll(() => rm(folder, { recursive: true }))

test('a backup reports what it did and which secrets it excludes', async () => {
  const first = await runCommand('backup', '--data', data, '--to', to)
  expect(first).toMatchObject({ code: 0 })
  expect(first.out).toMatch(
    /^Backed up .*data to .*backup: 0 files with rows and contents\.\nNew: .* linked, 0 copied\); removed: 0\.\n$/,
  )
  await writeFile(path.join(data, 'secrets.json'), '{"version":1,"secrets":[]}')
  const again = await runCommand('backup', '--data', data, '--to', to)
  expect(again.out).toContain('New: 0 bytes in 0 files (0 linked, 0 copied); removed: 0.')
  expect(again.out).toContain(`keep a copy of ${data}.secrets-key elsewhere`)
  expect(await readdir(to)).toContain('secrets.json')
})

test.each([
  ['without --to', () => ['--data', data], '--to is required'],
  ['of a folder that is not a data folder', () => ['--data', folder, '--to', to], 'it has no tables'],
  ['into the data folder', () => ['--data', data, '--to', path.join(data, 'b')], 'one folder is inside the other'],
])('a backup %s is rejected with exit code 2', async (_, words, message) => {
  const { out, err, code } = await runCommand('backup', ...words())
  expect({ out, code }).toEqual({ out: '', code: 2 })
  expect(err).toContain(message)
})

test('help shows examples and lists what a backup excludes', async () => {
  const { out } = await runCommand('backup', '--help')
  expect(out).toContain('tracelake backup --data ./data --to /mnt/backup/tracelake')
  expect(out).toContain('secrets-key')
})
