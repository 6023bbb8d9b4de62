import { expect } from 'bun:test'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { Browser } from '../conformance/ui/browser.ts'
import { occupy } from './occupy.ts'

/** Runs `demo` as a new user does, looks at what it made, and stops it. */
export async function expectDemoToWork(program: readonly string[], cwd: string): Promise<void> {
  // The default port is in use, on this machine or by this server.
  using _taken = occupy(8470)
  const child = Bun.spawn([...program, 'demo'], {
    cwd,
    env: { PATH: process.env['PATH']!, TRACELAKE_LOG_LEVEL: 'silent', TRACELAKE_GRPC_PORT: 'off' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let printed = ''
  let folder = ''
  try {
    const decoder = new TextDecoder()
    for await (const piece of child.stdout) {
      printed += decoder.decode(piece, { stream: true })
      if (printed.includes('Stop with Ctrl+C; this also removes the data\n')) break
    }
    const find = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? `nothing like ${pattern} in ${printed}`
    folder = find(/ data in (\S+) /)
    expect(existsSync(folder)).toBe(true)
    const url = find(/listening on (http:\S+)/)
    expect(url).not.toEndWith(':8470')
    const response = await fetch(`${url}/calls/query_stats`, {
      method: 'POST',
      headers: { authorization: `Bearer ${find(/^API key: (\S+)$/m)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: 'demo/support-bot' }),
    })
    const { count } = (await response.json()) as { count: number }
    expect(count).toBeGreaterThan(1_000)
    expect(printed).toContain(`has ${count.toLocaleString('en-US')} calls`)
    expect(find(/ files, (\S+) calls\)/)).toBe(count.toLocaleString('en-US'))
    const once = find(/\/ui\/login#once=([0-9a-f]{64})$/m)
    expect((await new Browser(url).post('/ui/session', { once })).status).toBe(200)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await child.exited).toBe(0)
  expect(existsSync(folder)).toBe(false)
}
