import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

let folder: string
let data: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'secrets-cli-'))
  data = path.join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the program as an operator would, with `input` piped to standard input. */
async function run(words: string[], input = ''): Promise<{ out: string; err: string; code: number }> {
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'secrets', ...words, '--data', data], {
    cwd: path.join(import.meta.dir, '../..'),
    stdin: new TextEncoder().encode(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

test('set, list, rm; the value is never shown or stored in plain text', async () => {
  const value = 'sk-verysecret-0123456789'
  const set = await run(['set', 'OPENAI_API_KEY', '--scope', 'acme', '--host', 'LLM.example.com'], `${value}\n`)
  expect(set).toEqual({
    out: `Stored secret "OPENAI_API_KEY" (scope acme) encrypted in ${data}.\n`,
    err: '',
    code: 0,
  })
  expect((await readdir(folder)).sort()).toEqual(['data', 'data.secrets-key'])
  expect(await readdir(data)).toEqual(['secrets.json'])
  for (const file of ['data/secrets.json', 'data.secrets-key']) {
    expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600)
    expect(await readFile(path.join(folder, file), 'utf8')).not.toContain(value)
  }

  const listed = await run(['list'])
  expect(listed.out).toMatch(/^NAME .*\nOPENAI_API_KEY {2}acme {3}llm\.example\.com {2}\d{4}-\d\d-\d\d\n$/)

  const elsewhere = await run(['rm', 'OPENAI_API_KEY'])
  expect(elsewhere).toEqual({
    out: '',
    err: 'error: There is no secret "OPENAI_API_KEY" with scope "*"\n',
    code: 1,
  })
  expect((await run(['rm', 'OPENAI_API_KEY', '--scope', 'acme'])).code).toBe(0)
  expect((await run(['list'])).out).toBe(`No secrets in ${data}.\n`)
}, 120_000)

test.each([
  [['OPENAI KEY'], 'v', 'Invalid name "OPENAI KEY"'],
  [['KEY', '--scope', 'a/b/c'], 'v', 'Invalid scope "a/b/c"'],
  [['KEY', '--host', 'https://x.example'], 'v', 'Invalid host "https://x.example"'],
  [['KEY'], '', 'not 0'],
  [['KEY'], 'two\nlines', 'only printable ASCII'],
])(
  'set %p is rejected with exit code 2',
  async (words, input, message) => {
    const { err, code } = await run(['set', ...words], input)
    expect(err).toStartWith('error: ')
    expect(err).toContain(message)
    expect(code).toBe(2)
  },
  120_000,
)

test('a damaged key file is reported, and no secret is lost', async () => {
  await run(['set', 'A'], 'one')
  await writeFile(path.join(folder, 'data.secrets-key'), 'x')
  const { err, code } = await run(['set', 'B'], 'two')
  expect(err).toContain('data.secrets-key": it must contain 64 hexadecimal digits')
  expect(code).toBe(1)
  expect((await run(['list'])).out).toMatch(/\nA /)
}, 120_000)
