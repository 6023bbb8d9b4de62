import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putIfAbsent } from './durable-files.ts'

const root = mkdtempSync(join(tmpdir(), 'tracelake-new-file-'))
afterAll(() => rmSync(root, { recursive: true }))

for (const mayLink of [true, false]) {
  test(`one of many concurrent writers succeeds, ${mayLink ? 'with hard links' : 'without hard links'}`, async () => {
    const name = `commit-${mayLink}.json`
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`)
    const won = await Promise.all(texts.map((text) => putIfAbsent(join(root, name), text, { mayLink })))
    expect(won.filter((isOurs) => isOurs)).toHaveLength(1)
    expect(readFileSync(join(root, name), 'utf8')).toBe(texts[won.indexOf(true)]!)
    expect(readdirSync(root).filter((entry) => entry.endsWith('.tmp'))).toEqual([])
  })
}

test('the same content under the same name counts as a retry of a lost response', async () => {
  const file = join(root, 'again')
  expect(await putIfAbsent(file, 'once')).toBe(true)
  expect(await putIfAbsent(file, 'once')).toBe(true)
  expect(await putIfAbsent(file, 'other')).toBe(false)
})
