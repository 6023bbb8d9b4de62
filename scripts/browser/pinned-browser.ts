import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import packages from '../../package.json' with { type: 'json' }

const tools = path.join(import.meta.dir, '../../.tools')

/**
 * Path of the Chromium in the package that `package.json` pins, unpacked into `.tools/` when it is
 * first asked for. The package itself unpacks into the temporary folder and takes any file there
 * that has the right name, also one that another process has only half written.
 *
 * @throws Error if it cannot be unpacked
 */
export async function pinnedBrowser(): Promise<string> {
  const home = path.join(tools, `chromium-${packages.devDependencies['@sparticuz/chromium']}`)
  const executable = path.join(home, 'chromium')
  if (existsSync(executable)) return executable
  const stage = path.join(tools, `stage-${randomUUID()}`)
  await mkdir(stage, { recursive: true })
  try {
    await unpackInto(stage)
    await rename(stage, home).catch((cause: unknown) => {
      // Another process was faster.
      if (!existsSync(executable)) throw cause
    })
    return executable
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

async function unpackInto(folder: string): Promise<void> {
  const child = Bun.spawn([process.execPath, path.join(import.meta.dir, 'unpack/main.ts')], {
    env: { ...process.env, TMPDIR: folder },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const output = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`Unpack the browser of @sparticuz/chromium: ${output.trim()}`)
}
