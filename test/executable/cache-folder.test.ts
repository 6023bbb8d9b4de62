import { afterAll, describe, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const executable = join(import.meta.dir, '../../dist/tracelake')
const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

/** Runs a command that loads the library. */
async function runWithCache(cache: string): Promise<{ code: number; err: string }> {
  const child = Bun.spawn([executable, 'keys', 'list', '--data', join(folder, 'data')], {
    env: { PATH: process.env['PATH']!, XDG_CACHE_HOME: cache },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [err, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, err }
}

function expectOneLine({ code, err }: { code: number; err: string }, cache: string): void {
  expect(code).toBe(2)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(err).toContain(cache)
  expect(err).toContain('XDG_CACHE_HOME')
}

describe.skipIf(process.env['TRACELAKE_TEST_RUNTIME'] !== 'executable')(
  'the cache folder of the executable’s library',
  () => {
    test('is created in the configured cache; a damaged library in it is reported in one line', async () => {
      const cache = join(folder, 'a', 'cache')
      expect((await runWithCache(cache)).err).not.toContain('XDG_CACHE_HOME')
      const files = (await readdir(cache, { recursive: true })).filter((name) => name.endsWith('.node'))
      expect(files).toHaveLength(1)
      await writeFile(join(cache, files[0]!), 'no library')
      expectOneLine(await runWithCache(cache), cache)
    })

    test('is reported in one line if it is not writable', async () => {
      const cache = join(folder, 'file')
      await writeFile(cache, '')
      expectOneLine(await runWithCache(cache), cache)
    })
  },
)
