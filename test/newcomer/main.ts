/** Times what a newcomer does, from the clone to the first trace. */
import path from 'node:path'
import process from 'node:process'
import { startBrowser } from '../../scripts/browser/start-browser.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'

const [repository, pictures] = process.argv.slice(2) as [string, string]
const serveMsMax = 600_000
const started = performance.now()
let before = started
const step = (what: string): void => {
  const now = performance.now()
  console.log(
    `${((now - started) / 1000).toFixed(1).padStart(6)} s  (+${((now - before) / 1000).toFixed(1)} s)  ${what}`,
  )
  before = now
}

const folder = await makeTempFolder()
const clone = path.join(folder, 'tracelake')
const cloned = Bun.spawn(['git', 'clone', '-q', repository, clone], { stdin: 'ignore' })
if ((await cloned.exited) !== 0) throw new Error(`Clone ${repository}: exit code ${cloned.exitCode}`)
step('git clone')

// A newcomer has Node.js with npm and neither variables nor packages of ours.
const server = Bun.spawn(['./scripts/serve', '--port', '0', '--grpc-port', 'off'], {
  cwd: clone,
  env: { PATH: pathWithout(process.env['PATH'] ?? '', '/.tools/'), HOME: process.env['HOME'] ?? folder },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
  timeout: serveMsMax,
})
const browser = await startBrowser()
try {
  const link = await linkIn(server.stdout)
  step('./scripts/serve has printed its link')
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const picture = (name: string) => page.screenshot({ path: path.join(pictures, `${name}.png`) })
  await page.goto(link)
  await page.getByText('Send your first trace').waitFor()
  const create = page.getByRole('button', { name: 'New project' }).last()
  step('the link is open: signed in')
  await picture('1-signed-in')
  await create.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('acme/first')
  await picture('2-new-project')
  await dialog.getByRole('button', { name: 'Show how to send traces' }).click()
  const code = page.locator('pre').filter({ hasText: /[0-9a-f]{40}/ })
  await code.first().waitFor()
  step('the start page shows a snippet with a key')
  await picture('3-start')
  const snippet = (await code.first().textContent()) ?? ''
  const shell = Bun.spawn(['sh', '-c', snippet], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  if ((await shell.exited) !== 0) throw new Error(`Run the snippet: ${await new Response(shell.stderr).text()}`)
  step('the snippet has run')
  await page.waitForURL(/\/trace\//)
  await page.locator('main').getByText('384,400 km').first().waitFor()
  step('the first trace is open')
  await picture('4-first-trace')
  console.log(`1 passed, 0 failed. Screenshots: ${pictures}`)
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await server.exited
  await removeFolder(folder)
}

/** The link for the first visit, as soon as the server prints it; what follows is read too. */
async function linkIn(output: ReadableStream<Uint8Array>): Promise<string> {
  const found = Promise.withResolvers<string>()
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of output) {
      text += decoder.decode(bytes, { stream: true })
      const [link] = /http:\/\/\S+\/ui\/login#once=\w+/.exec(text) ?? []
      if (link !== undefined) found.resolve(link)
    }
    found.reject(new Error(`The server has printed no link: ${text}`))
  }
  void read()
  return await found.promise
}

function pathWithout(variable: string, part: string): string {
  return variable
    .split(':')
    .filter((folder) => !folder.includes(part))
    .join(':')
}
