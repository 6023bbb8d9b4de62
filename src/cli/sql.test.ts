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

test.each(['csv', 'jsonl'])('a reader that has seen enough of %s ends the command without a word', async (format) => {
  const main = path.join(import.meta.dir, '..', 'main.ts')
  const statement = 'SELECT unnest(range(1000000)) AS n'
  const command = `"$0" "$1" sql "$2" --format "$3" --data "$4" | head -n 2`
  const child = Bun.spawn(['sh', '-c', command, process.execPath, main, statement, format, data], { stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect(out.split('\n')).toHaveLength(3)
  expect(err).toBe('')
})
