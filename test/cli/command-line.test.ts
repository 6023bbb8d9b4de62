import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from './command.ts'

const folder = mkdtempSync(join(tmpdir(), 'tracelake-command-line-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

test.each([
  [['nope'], 'unknown command "nope"; "tracelake --help" lists the commands'],
  [['serve', 'extra'], 'too many arguments'],
  [['verify', '--nope'], "unknown option '--nope'"],
  [['keys', 'revoke'], "missing required argument 'id'"],
  [['keys'], 'Usage: tracelake keys'],
  [['keys', 'create'], '--name is required'],
  [['sql', 'SELECT 1', '--format', 'xml'], 'Allowed choices are table, csv, jsonl'],
  [['serve', '--port', '80a'], '--port must be an integer'],
])('%j is a usage error with exit code 2 and one message', async (words, why) => {
  const { out, err, code } = await runCommand(...words)
  expect([out, code]).toEqual(['', 2])
  expect(err).toContain(why)
})

test.each([[['--version']], [['--help']], [['help']], [['keys', 'create', '--help']]])(
  '%j exits with code 0',
  async (words) => {
    const { out, err, code } = await runCommand(...words)
    expect([err, code]).toEqual(['', 0])
    expect(out).not.toBe('')
  },
)

test('a startup failure is reported in one line, without a stack trace', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'text')
  const onFile = await runCommand('serve', '--data', file)
  expect(onFile).toMatchObject({ out: '', code: 2 })
  expect(onFile.err).toStartWith(`tracelake: Cannot open ${file}: it is not a folder and cannot be created: EEXIST`)
  writeFileSync(join(folder, 'keys.json'), '{')
  const onDamage = await runCommand('serve', '--data', folder, '--port', '0')
  expect(onDamage).toMatchObject({ out: '', code: 1 })
  expect(onDamage.err).toStartWith(`tracelake: Invalid key file "${join(folder, 'keys.json')}": not JSON`)
  for (const { err } of [onFile, onDamage]) expect(err.trimEnd().split('\n')).toHaveLength(1)
}, 120_000)
