import { afterAll, expect, test } from 'bun:test'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const repository = path.join(import.meta.dir, '../..')
const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

/**
 * The program with its packages, as installed on a platform without a DuckDB library.
 */
async function installWithoutLibrary(): Promise<void> {
  for (const name of ['src', 'package.json']) {
    await cp(path.join(repository, name), path.join(folder, name), { recursive: true })
  }
  const packages = path.join(repository, 'node_modules')
  const installed = path.join(folder, 'node_modules')
  await mkdir(path.join(installed, '@duckdb'), { recursive: true })
  for (const name of await readdir(packages)) {
    if (name !== '@duckdb') await symlink(path.join(packages, name), path.join(installed, name))
  }
  // Copied, because a link would resolve to the real folder, which has the library.
  for (const name of ['node-api', 'node-bindings']) {
    await cp(path.join(packages, '@duckdb', name), path.join(installed, '@duckdb', name), { recursive: true })
  }
}

test("a start without DuckDB's native library says so and how to fix it", async () => {
  await installWithoutLibrary()
  const child = Bun.spawn([process.execPath, 'src/start.ts', 'serve', '--port', '0', '--data', `${folder}/data`], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [output, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect(exitCode).toBe(1)
  expect(output).toBe('')
  expect(errors).toStartWith("tracelake: Start: DuckDB's library for ")
  expect(errors).toContain(`${process.platform}-${process.arch}`)
  expect(errors).toContain('bun install --frozen-lockfile')
  expect(errors.trimEnd().split('\n')).toHaveLength(1)
  expect(errors).not.toContain(folder)
})
