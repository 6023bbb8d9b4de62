import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { programFile } from '../conformance/support/program-file.ts'
import { startServer } from '../conformance/support/server-process.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { expectDemoToWork } from '../executable/demo.ts'

const repository = join(import.meta.dir, '../..')
const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))

test('"demo" runs a server with synthetic traces and removes them at the end', async () => {
  await expectDemoToWork([process.execPath, programFile], repository)
}, 120_000)

test('"demo" keeps the data of a given folder and does not add to it', async () => {
  const data = join(folder, 'data')
  const counts: string[] = []
  for (let start = 0; start < 2; start++) {
    const child = Bun.spawn([process.execPath, programFile, 'demo', '--port', '0', '--data', data], {
      cwd: repository,
      env: { PATH: process.env['PATH']!, TRACELAKE_LOG_LEVEL: 'silent', TRACELAKE_GRPC_PORT: 'off' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let printed = ''
    for await (const piece of child.stdout) {
      printed += new TextDecoder().decode(piece)
      if (printed.includes('Stop with Ctrl+C\n')) break
    }
    counts.push(/has (\S+) calls/.exec(printed)?.[1] ?? printed)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }
  expect(counts[0]).toMatch(/^\d,\d{3}$/)
  expect(counts[1]).toBe(counts[0]!)
}, 120_000)

test('"scripts/demo" finds on the server what it has sent', async () => {
  const server = await startServer()
  try {
    const words = ['--traces', '40', '--url', server.client.address, '--key', server.adminKey]
    const child = Bun.spawn([process.execPath, 'scripts/support-bot/main.ts', ...words], {
      cwd: repository,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const printed = await new Response(child.stdout).text()
    expect(printed).toContain('The server holds what was sent.')
    expect(await child.exited).toBe(0)
  } finally {
    await server.stop()
  }
}, 120_000)
