import { afterAll, expect, test } from 'bun:test'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../cli/command.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { until } from '../store/until.ts'
import { differences, type KnownAnswer, valuesOf } from './questions.ts'

const folders = path.join(import.meta.dir, 'folders')
const archives = (await readdir(folders)).filter((name) => name.endsWith('.tar.gz'))
/** What calls learn that versions before did not know. */
const errorInside = 'status: "success", later "descendant_error"'
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
    await until(
      async () => !/tracelake_unlearned_files\{[^}]*\} [1-9]/.test((await server.client.get('/metrics')).text),
    )
    for (const { path: place, body, answer } of answers) {
      const { status, text } = await server.client.post(place, body)
      const learned = differences(answer, valuesOf(text)).filter((difference) => !difference.endsWith(errorInside))
      expect({ place, status, differences: learned }).toEqual({ place, status: 200, differences: [] })
    }
    // Its child has failed.
    const { text } = await server.client.post('/call/read', { project_id: 'acme/one', id: 'call-1' })
    const { status, error_inside: inside } = JSON.parse(text).call.summary.ext
    expect([status, inside]).toEqual(['descendant_error', { call_id: 'call-4', error: 'ValueError: no', depth: 1 }])
  } finally {
    await server.stop()
  }
  expect(await runCommand('verify', '--data', data)).toMatchObject({ code: 0 })
  expect((await runCommand('upgrade-check', '--data', data)).out).toContain('It can open the data')
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
