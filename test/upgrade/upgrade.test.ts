import { afterAll, expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../cli/command.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { differences, type KnownAnswer, valuesOf } from './questions.ts'

const folders = path.join(import.meta.dir, 'folders')
const archives = (await readdir(folders)).filter((name) => name.endsWith('.tar.gz'))
const home = await makeTempFolder()
afterAll(() => removeFolder(home))

test.each(archives)('the folder %s opens, answers as before and is whole', async (archive) => {
  const folder = path.join(home, archive)
  await Bun.spawn(['mkdir', folder]).exited
  expect(await Bun.spawn(['tar', '-C', folder, '-xzf', path.join(folders, archive)]).exited).toBe(0)
  const data = path.join(folder, 'data')
  const answers: KnownAnswer[] = JSON.parse(await readFile(path.join(folder, 'answers.json'), 'utf8'))
  expect(answers.length).toBeGreaterThan(5)
  const server = await startServer({ data, adminKey: 'k'.repeat(40) })
  try {
    for (const { path: place, body, answer } of answers) {
      const { status, text } = await server.client.post(place, body)
      expect({ place, status, differences: differences(answer, valuesOf(text)) }).toEqual({
        place,
        status: 200,
        differences: [],
      })
    }
  } finally {
    await server.stop()
  }
  expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
  expect((await runCommand('upgrade-check', '--data', data)).out).toContain('It can open the folder')
})

test('a folder of a later format is refused, and nothing in it changes', async () => {
  const data = path.join(home, 'later')
  const server = await startServer({ data })
  await server.stop()
  const format = { format: 99, written_by: '9.9.9' }
  await writeFile(path.join(data, 'format.json'), JSON.stringify(format))
  const before = (await readdir(data, { recursive: true })).sort()
  for (const words of [['serve', '--port', '0'], ['flush'], ['verify'], ['upgrade-check']]) {
    const { err, code } = await runCommand(...words, '--data', data)
    expect(err).toContain('tracelake 9.9.9 wrote it in format 99')
    expect(code).toBe(2)
  }
  expect((await readdir(data, { recursive: true })).sort()).toEqual(before)
  await writeFile(path.join(data, 'format.json'), '{')
  expect((await runCommand('flush', '--data', data)).err).toContain('format.json is damaged')
})
