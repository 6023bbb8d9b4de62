import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { programFile } from '../conformance/support/program-file.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { runCommand } from './command.ts'

setDefaultTimeout(120_000)

async function following(...words: string[]): Promise<{ values: string[]; directive: string }> {
  const { out, code } = await runCommand('complete', '--', ...words)
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  return { values: lines.slice(0, -1).map((line) => line.split('\t')[0]!), directive: lines.at(-1)! }
}

test.each([
  [['ver'], ['verify'], ':4'],
  [['keys', 'c'], ['create'], ':4'],
  [['keys', 'create', '--ro'], ['--role'], ':4'],
  [['keys', 'create', '--name', 'list', '--sc'], ['--scope'], ':4'],
  [['--grpc'], ['--grpc-port'], ':4'],
  [['import', 'lang'], ['langfuse'], ':4'],
  [['import', 'otlp', ''], [], ':0'],
  [['backup', '--to', './b'], [], ':0'],
  [['flush', ''], [], ':4'],
  [['complete'], [], ':4'],
] as const)('after the words %j come %j', async (words, values, directive) => {
  expect(await following(...words)).toEqual({ values: [...values], directive })
})

test('the script for bash completes commands with what the program answers', async () => {
  const folder = await makeTempFolder()
  try {
    const program = join(folder, 'tracelake')
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${programFile}' "$@"\n`)
    await chmod(program, 0o755)
    const { out } = await runCommand('completions', 'bash')
    const ask = `COMP_WORDS=(tracelake keys ''); COMP_CWORD=2; _tracelake; echo "\${COMPREPLY[@]}"`
    const child = Bun.spawn(['bash', '-c', `${out}\n${ask}`], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
      stdout: 'pipe',
    })
    expect(await new Response(child.stdout).text()).toBe('create list revoke help\n')
  } finally {
    await removeFolder(folder)
  }
})

test('a shell without a script is a usage error that names the shells', async () => {
  const { err, code } = await runCommand('completions', 'tcsh')
  expect(code).toBe(2)
  expect(err).toContain('bash, zsh, fish')
})

test('the manual page has every command with its options, and no line that begins like a request by chance', async () => {
  const { out } = await runCommand('man')
  const { out: help } = await runCommand('--help')
  const commands = [...help.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help')
  expect(commands.length).toBeGreaterThan(25)
  for (const name of commands) expect(out).toContain(`.SS tracelake ${name.replaceAll('-', '\\-')}`)
  expect(out).toContain('.SS tracelake keys create')
  expect(out).toContain('.B \\-\\-grpc\\-port <number>')
  const requests = out.split('\n').filter((line) => /^[.']/.test(line))
  for (const line of requests) expect(line).toMatch(/^\.(TH|SH|SS|PP|TP|B|nf|fi)( |$)/)
})
