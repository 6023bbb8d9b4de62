import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

let data: string
beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'sql-cli-'))
  await mkdir(path.join(data, 'tables'))
})
afterAll(() => rm(data, { recursive: true }))

const run = async (statement: string, format: string): Promise<{ out: string; err: string; code: number }> => {
  const main = path.join(import.meta.dir, '..', 'main.ts')
  const words = [process.execPath, main, 'sql', statement, '--format', format, '--data', data]
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out, err, code: await child.exited }
}

test('numbers are printed exactly, nested ones too', async () => {
  const values =
    '1::BIGINT AS a, 9007199254740993 AS b, -1.50::DECIMAL(4,2) AS c, 0.5::DOUBLE AS d, [2::HUGEINT, NULL] AS e'
  const texts = '{"a":1,"b":9007199254740993,"c":-1.50,"d":0.5,"e":[2,null]}\n'
  expect(await run(`SELECT ${values}`, 'jsonl')).toEqual({ out: texts, err: '', code: 0 })
  expect((await run(`SELECT ${values}`, 'csv')).out).toBe('a,b,c,d,e\n1,9007199254740993,-1.50,0.5,"[2,null]"\n')
  expect((await run(`SELECT ${values}`, 'table')).out).toContain('\n1  9007199254740993  -1.50  0.5  [2,null]\n1 row\n')
})

test('a table escapes terminal control characters', async () => {
  const { out } = await run("SELECT chr(27) || '[31m' || chr(10) || chr(155) || chr(8238) AS t", 'table')
  expect(out).toBe(`t\n--------\n\ufffd[31m \ufffd\ufffd\n1 row\n`)
})

test('errors are about the statement, not about how it is run', async () => {
  const { err, code } = await run('selct 1', 'table')
  expect([code, err.split('\n')[0]]).toEqual([1, 'tracelake: Parser Error: syntax error at or near "selct"'])
  const changed = await run('DELETE FROM calls', 'table')
  expect(changed.err).toBe('tracelake: the tables of a data folder can be read here, but not changed\n')
})

test('an empty statement is rejected', async () => {
  expect(await run(' ', 'table')).toEqual({ out: '', err: 'tracelake: the SQL statement is empty\n', code: 2 })
})

test.each(['csv', 'jsonl'])('a closed pipe ends %s output silently', async (format) => {
  const main = path.join(import.meta.dir, '..', 'main.ts')
  const statement = 'SELECT unnest(range(1000000)) AS n'
  const command = `"$0" "$1" sql "$2" --format "$3" --data "$4" | head -n 2`
  const child = Bun.spawn(['sh', '-c', command, process.execPath, main, statement, format, data], { stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(out.split('\n')).toHaveLength(3)
  expect(err).toBe('')
})
