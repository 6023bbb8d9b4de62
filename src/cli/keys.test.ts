import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command, CommanderError } from 'commander'
import { checkLake } from '../engine/lake/check-lake.ts'
import { FolderStore } from '../runtime/objects/folder-store.ts'
import { keysCommand } from './keys.ts'

let data: string
beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'keys-cli-'))
})
afterEach(() => rm(data, { recursive: true }))

async function run(...words: string[]): Promise<{ out: string; err: string; code: number }> {
  const out: string[] = []
  const err: string[] = []
  const program = new Command('tracelake').addCommand(keysCommand())
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap((child) => all(child as Command))]
  for (const command of all(program)) {
    command.exitOverride().configureOutput({ writeOut: (text) => out.push(text), writeErr: (text) => err.push(text) })
  }
  const code = await program.parseAsync(words, { from: 'user' }).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof CommanderError) return error.exitCode
      throw error
    },
  )
  return { out: out.join(''), err: err.join(''), code }
}

test('create, list, revoke', async () => {
  const made = await run('keys', 'create', '--name', 'ci', '--role', 'write', '--scope', 'acme', '--data', data)
  const [, key] = /^ {2}([0-9a-f]{40})$/m.exec(made.out) ?? []
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain(`curl -u api:${key} `)

  const listed = await run('keys', 'list', '--data', data)
  expect(listed.out).toMatch(
    new RegExp(`^ID .*\n${key!.slice(0, 8)}  ci    write  acme   \\d{4}-\\d\\d-\\d\\d +valid\n$`),
  )
  expect(listed.out).not.toContain(key!)

  const revoked = await run('keys', 'revoke', key!.slice(0, 8), '--data', data)
  expect(revoked.out).toContain('has been revoked since')
  expect((await run('keys', 'list', '--data', data)).out).toContain('revoked 2')
})

test.each([
  [['--name', 'a', '--role', 'root'], 'error: Invalid role "root": use one of read, write, admin\n'],
  [['--name', 'a', '--scope', 'a/b/c'], 'error: Invalid scope "a/b/c": use "*", "<entity>" or "<entity>/<project>"\n'],
  [[], 'error: --name is required\n'],
])('create %p is rejected with exit code 2', async (words, message) => {
  expect(await run('keys', 'create', '--data', data, ...words)).toEqual({ out: '', err: message, code: 2 })
})

test('revoking an unknown key fails with exit code 1', async () => {
  const { err, code } = await run('keys', 'revoke', 'deadbeef', '--data', data)
  expect({ err, code }).toEqual({ err: 'error: There is no API key with id "deadbeef"\n', code: 1 })
})

test('an empty folder has no keys', async () => {
  expect((await run('keys', 'list', '--data', data)).out).toBe(`No keys in ${data}.\n`)
})

test('help shows examples', async () => {
  expect((await run('keys', 'create', '--help')).out).toContain('tracelake keys create --name ci')
})

test('--lake creates, lists and revokes keys of a lake', async () => {
  const lake = path.join(data, 'lake')
  const command = ['--lake', lake]
  expect(await run('keys', 'list', ...command)).toEqual({
    out: '',
    err: `error: There is no lake in ${lake}: it has no lake.json; check the address, or start a server with --lake\n`,
    code: 2,
  })
  await checkLake(new FolderStore(lake))
  const made = await run('keys', 'create', '--name', 'ci', ...command)
  const [, key] = /^ {2}([0-9a-f]{40})$/m.exec(made.out) ?? []
  expect(made).toMatchObject({ code: 0, err: '' })
  expect((await run('keys', 'list', ...command)).out).toContain(`${key!.slice(0, 8)}  ci `)
  expect((await run('keys', 'revoke', key!.slice(0, 8), ...command)).out).toContain(`in ${lake} has been revoked`)
})

test('the folder of a node is refused: keys in it would be lost', async () => {
  await writeFile(path.join(data, 'cache.json'), '{"format":1,"id":"1","place":"s3://bucket"}')
  const { err, code } = await run('keys', 'create', '--name', 'ci', '--data', data)
  expect(code).toBe(2)
  expect(err).toContain('it is only a cache of s3://bucket')
})
