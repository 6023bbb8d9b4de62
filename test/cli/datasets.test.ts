import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freshProject, sharedServer } from '../conformance/support/target.ts'
import { runCommand } from './command.ts'

const server = await sharedServer()
const project = freshProject(server)
const folder = await mkdtemp(path.join(tmpdir(), 'tracelake-datasets-'))
afterAll(() => rm(folder, { recursive: true }))

const datasets = (...words: readonly string[]) =>
  runCommand('datasets', ...words, '--project', project.id, '--url', server.address, '--key', server.key)

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await Bun.write(file, text)
  return file
}

test('a file becomes a version, a version a file, and two versions are compared', async () => {
  const first = await fileOf('questions.csv', 'id,zip,stars\n1,00700,4.50\n2,10115,\n')
  const created = await datasets('import', first, '--column', 'zip=text', '--expect', '')
  expect(created).toMatchObject({ code: 0, out: 'questions:v0: 2 rows, 2 of them from the file\n' })
  const second = await fileOf('more.csv', 'id,zip,stars\n2,10115,\n3,20095,5\n')
  const types = ['--column', 'zip=text', '--column', 'stars=number']
  const words = ['--name', 'questions', '--append', '--skip-equal', ...types]
  expect(await datasets('import', second, ...words)).toMatchObject({
    code: 0,
    out: 'questions:v1: 3 rows, 1 of them from the file, 1 left out that were there already\n',
  })
  const out = path.join(folder, 'saved.jsonl')
  expect(await datasets('export', 'questions', 'v0', '--out', out)).toMatchObject({ code: 0 })
  const saved = '{"id":1,"zip":"00700","stars":4.50}\n{"id":2,"zip":"10115","stars":null}\n'
  expect(await Bun.file(out).text()).toBe(saved)
  expect(await datasets('diff', 'questions', 'v0')).toMatchObject({
    code: 0,
    out: '1 added, 0 removed, 0 changed, 2 equal\n+ row 3 {"id":3,"zip":"20095","stars":5}\n',
  })
  const again = await datasets('export', 'questions', '--out', out)
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('the file exists') })
}, 120_000)

test('the faults of a file are listed with their lines, and nothing is stored', async () => {
  const file = await fileOf('faulty.csv', 'id,count\n1,2\n2,many\n3\n')
  const refused = await datasets('import', file, '--column', 'count=number')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toContain('error: Nothing was written: line 3, column count: it is not a number')
  expect(refused.err).toContain('  line 4: the line has 1 cells instead of 2\n')
  const missing = await datasets('diff', 'faulty', 'v0')
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('status 404') })
}, 120_000)

test('what is wrong with the words is said', async () => {
  const missing = await datasets('import', path.join(folder, 'no-such.csv'))
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('there is no such file') })
  const file = await fileOf('rows.csv', 'a,b\n1,2\n')
  const column = await datasets('import', file, '--column', 'a')
  expect(column).toMatchObject({ code: 2, err: expect.stringContaining('use <name>=<type>') })
  const format = await datasets('export', 'rows', '--out', path.join(folder, 'rows.txt'))
  expect(format).toMatchObject({ code: 2, err: expect.stringContaining('end it with .csv, .jsonl or .parquet') })
  const { out } = await runCommand('datasets', 'import', '--help')
  expect(out).not.toContain('(default: [])')
}, 120_000)
