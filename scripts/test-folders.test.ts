import { expect, test } from 'bun:test'
import { chmod, cp } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { Glob } from 'bun'
import { makeTempFolder, removeFolder } from '../test/conformance/support/temp-folder.ts'

const root = path.join(import.meta.dir, '..')
const script = await Bun.file(path.join(root, 'scripts/test-run.sh')).text()

/** The folders that the everyday tests and each suite run, as scripts/test-run.sh lists them. */
const lists = [...script.matchAll(/^(\w+)_tests="(.*)"$/gm)].map(([, name, folders]) => ({
  name: name!,
  folders: folders!.split(' ').map((folder) => path.normalize(folder)),
}))

test('every test file is run by the everyday tests or by one suite', async () => {
  const wrong: string[] = []
  for (const folder of ['src', 'scripts', 'test'])
    for await (const file of new Glob(`${folder}/**/*.test.{ts,tsx}`).scan({ cwd: root })) {
      if (file.includes('node_modules/')) continue
      const found = lists.filter(({ folders }) => folders.some((one) => file.startsWith(`${one}/`)))
      if (found.length !== 1) wrong.push(`${file}: ${found.map(({ name }) => name).join(', ') || 'none'}`)
    }
  expect(wrong).toEqual([])
})

test('continuous integration runs every suite that has a list', async () => {
  const ci = await Bun.file(path.join(root, '.ci/run')).text()
  const [, suites] = /^for suite in (.*?); do/m.exec(ci)!
  const missing = lists
    .map(({ name }) => name)
    .filter((name) => name !== 'everyday' && !suites!.split(' ').includes(name))
  expect(missing).toEqual([])
})

test('the files that are known to take long exist', async () => {
  const { files } = (await Bun.file(path.join(root, 'scripts/test-timings.json')).json()) as { files: object }
  const missing: string[] = []
  for (const file of Object.keys(files)) if (!(await Bun.file(path.join(root, file)).exists())) missing.push(file)
  expect(missing).toEqual([])
})

test('continuous integration adds up what the suites print, and a suite that prints nothing has failed', async () => {
  const folder = await makeTempFolder()
  try {
    await cp(path.join(root, '.ci'), path.join(folder, '.ci'), { recursive: true })
    await Bun.write(path.join(folder, 'scripts/test'), stub)
    await chmod(path.join(folder, 'scripts/test'), 0o755)
    const { out, code } = await run(folder, { BROKEN: '' })
    expect([out.at(-1), code]).toEqual(['21 passed, 0 failed', 0])
    const broken = await run(folder, { BROKEN: 'deno' })
    expect([broken.out.at(-1), broken.code]).toEqual(['18 passed, 1 failed', 1])
    const fails = await run(folder, { FAILS: 'crash' })
    expect([fails.out.at(-1), fails.code]).toEqual(['21 passed, 2 failed', 1])
  } finally {
    await removeFolder(folder)
  }
})

test('a run repeats what failed, with the name of the file, and counts it', async () => {
  const folder = await makeTempFolder()
  try {
    await cp(path.join(root, 'scripts/test-run.sh'), path.join(folder, 'scripts/test-run.sh'))
    await Bun.write(path.join(folder, 'scripts/test-timings.json'), '{"version":1,"files":{}}')
    for (const [name, text] of Object.entries(brokenTests)) await Bun.write(path.join(folder, `${name}.test.ts`), text)
    // Few files in each run: of several at a time, Bun mixes the output.
    const runs = ['fails', 'import', 'dies', 'dies passes'].map((names) => {
      const files = names.split(' ').map((name) => `./${name}.test.ts`)
      return `run_tests "${names}" $bun_test ${files.join(' ')}`
    })
    const suite = ['. scripts/test-run.sh', 'begin_tests', ...runs, 'end_tests'].join('; ')
    const failures = path.join(folder, 'failures')
    const { out } = await run(folder, { TRACELAKE_TEST_FAILURES: failures }, ['sh', '-eu', '-c', suite])
    expect(out.at(-1)).toBe('2 passed, 4 failed')
    const repeated = await Bun.file(failures).text()
    expect(repeated).toStartWith('== failures: fails\nfails.test.ts:\n')
    expect(repeated).toMatch(/printed before[\s\S]*\(fail\) fails/)
    expect(repeated).toMatch(/Cannot find module '\.\/not-there\.ts' from '[^']*import\.test\.ts'/)
    expect(repeated).toContain('== failures: dies\nended with status 137 before it counted\n')
    expect(repeated).toContain('== failures: dies passes\n✗ dies.test.ts (worker crashed: SIGKILL)\n')
    expect(repeated.match(/\(fail\) fails/g)).toHaveLength(1)
    expect(out.join('\n')).toContain(repeated.trimEnd())
  } finally {
    await removeFolder(folder)
  }
})

const brokenTests = {
  passes: "import { test } from 'bun:test'\ntest('passes too', () => {})\n",
  fails: `import { expect, test } from 'bun:test'
    test('passes', () => {})
    test('fails', () => { console.log('printed before'); expect(1).toBe(2) })`,
  import: "import { nothing } from './not-there.ts'\nnothing()\n",
  dies: `import { test } from 'bun:test'
    test('dies', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })`,
}

const stub = `#!/bin/sh
[ "\${BROKEN:-}" = "\${1:-everyday}" ] && exit 1
if [ "\${FAILS:-}" = "\${1:-everyday}" ]; then echo "3 passed, 2 failed"; exit 1; fi
echo "3 passed, 0 failed"
`

async function run(
  folder: string,
  env: Record<string, string>,
  command = ['.ci/run'],
): Promise<{ out: string[]; code: number }> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const text = await new Response(child.stdout).text()
  return { out: text.trimEnd().split('\n'), code: await child.exited }
}
