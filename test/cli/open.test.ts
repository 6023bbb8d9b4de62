import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'
import { programFile } from '../conformance/support/program-file.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Browser } from '../conformance/ui/browser.ts'

const folder = await makeTempFolder()
afterAll(() => removeFolder(folder))
const data = join(folder, 'data')
const repository = join(import.meta.dir, '../..')

const start = (words: readonly string[], env: Record<string, string> = {}, served = data) =>
  Bun.spawn([process.execPath, programFile, ...words, '--data', served], {
    cwd: repository,
    env: { PATH: process.env['PATH']!, TRACELAKE_LOG_LEVEL: 'silent', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })

async function run(words: readonly string[], env?: Record<string, string>) {
  const child = start(words, env)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

/** Starts a server, passes `work` what it prints until it listens, and stops it. */
async function during<T>(work: (printed: string) => Promise<T>, served = data): Promise<T> {
  const child = start(['serve', '--port', '0'], { TRACELAKE_ADMIN_KEY: 'the-preset-admin-key' }, served)
  try {
    let printed = ''
    for await (const piece of child.stdout) {
      printed += new TextDecoder().decode(piece)
      if (printed.includes('listening on')) break
    }
    return await work(printed)
  } finally {
    child.kill('SIGTERM')
    await child.exited
  }
}

async function expectToLogIn(link: string): Promise<void> {
  const [, address, once] = /^(http:\/\/127\.0\.0\.1:\d+)\/ui\/login#once=([0-9a-f]{64})$/.exec(link) ?? []
  const answer = await new Browser(address!).post('/ui/session', { once })
  expect([answer.status, await answer.json()]).toMatchObject([200, { role: 'admin', projects: ['*'] }])
}

test('the first start prints a link that logs in, also with a preset admin key; later ones do not', async () => {
  const fresh = join(folder, 'fresh')
  await during(async (printed) => {
    const link = /^Open the web UI .*: (\S+)$/m.exec(printed)?.[1]
    await expectToLogIn(link!)
  }, fresh)
  await during(async (printed) => expect(printed).not.toContain('#once='), fresh)
})

test('"keys create" shows how the key is sent to the running server', async () => {
  await during(async (printed) => {
    const address = /listening on (http:\S+)/.exec(printed)?.[1]
    expect((await run(['keys', 'create', '--name', 'ci'])).out).toMatch(
      new RegExp(`curl -u api:[0-9a-f]+ ${address}/server_info`),
    )
  })
})

test('"open --print" prints a link to the running server', async () => {
  await during(async () => {
    const { code, out, err } = await run(['open', '--print'])
    expect([code, err]).toEqual([0, ''])
    await expectToLogIn(out.trim())
  })
})

test('"open" hands the link to the desktop in a file, where other users do not see it', async () => {
  const desktop = join(folder, 'bin')
  await Bun.write(
    join(desktop, 'xdg-open'),
    `#!/bin/sh\necho "$1" >${folder}/opened\nstat -c %a "$1" >>${folder}/opened\n`,
  )
  await Bun.$`chmod +x ${desktop}/xdg-open`
  await during(async () => {
    const { code, out } = await run(['open'], { PATH: `${desktop}:${process.env['PATH']}` })
    expect([code, out]).toEqual([0, expect.stringMatching(/^Opened http:\S+\/ui\/ in the browser\.\n$/)])
    expect(out).not.toContain('once')
    const [file, mode] = (await Bun.file(join(folder, 'opened')).text()).trim().split('\n')
    expect(mode).toBe('600')
    const link = /url=([^"]+)"/.exec(await Bun.file(file!).text())?.[1]
    await expectToLogIn(link!)
  })
})

test('"open" prints the link where there is no desktop', async () => {
  await during(async () => {
    const { code, out } = await run(['open'], { PATH: '/nowhere' })
    expect(code).toBe(0)
    await expectToLogIn(/^ {2}(http\S+)$/m.exec(out)![1]!)
  })
})

test('"open" says so if no server is running', async () => {
  const { code, err } = await run(['open', '--print'])
  expect(code).toBe(1)
  expect(err).toContain(`Open the web UI: no server is running on ${data}; start it with "tracelake serve"`)
})
