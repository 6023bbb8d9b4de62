import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startBrowser } from '../browser/start-browser.ts'
import { toWebP } from './web-picture.ts'

const repository = path.join(import.meta.dir, '../..')
const test = './test/ui/flows/whole-loop.test.ts'

/** Runs the test of the way from a failing trace to a better prompt; its pictures become WebP. */
export async function takeLoop(out: string): Promise<void> {
  const taken = await mkdtemp(path.join(tmpdir(), 'tracelake-loop-'))
  try {
    const child = Bun.spawn([process.execPath, 'test', '--timeout', '120000', test], {
      cwd: repository,
      env: { ...process.env, TRACELAKE_LOOP_PICTURES: taken, TRACELAKE_TEST_PROGRAM: 'dist/tracelake.js' },
      stdout: 'inherit',
      stderr: 'inherit',
    })
    if ((await child.exited) !== 0) throw new Error(`Take the pictures: ${test} failed`)
    await mkdir(out, { recursive: true })
    const browser = await startBrowser()
    try {
      for (const file of await readdir(taken)) {
        const picture = await toWebP(browser, Buffer.from(await Bun.file(path.join(taken, file)).arrayBuffer()))
        const target = path.join(out, `${path.basename(file, '.png')}.webp`)
        await Bun.write(target, picture)
        console.log(`${path.relative(process.cwd(), target)}: ${Math.round(picture.byteLength / 1000)} KB`)
      }
    } finally {
      await browser.close()
    }
  } finally {
    await rm(taken, { recursive: true, force: true })
  }
}
