/** Takes the pictures of the README and the guide from a server of its own with the demo. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { startBrowser } from '../browser/start-browser.ts'
import { storeBoard } from './board.ts'
import { takeLoop } from './loop.ts'
import { conversationViews, type View, views } from './views.ts'
import { toWebP } from './web-picture.ts'

const repository = path.join(import.meta.dir, '../..')
const project = 'demo/support-bot'
const recorded = 'demo/airline'
/** The demo ends then, and it is then on all pictures: equal runs give equal pictures. */
const until = '2026-03-04T15:00:00Z'
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const settleMs = 1_500

const options = new Command('screenshots')
  .description('Takes pictures of the web UI with the demo, light and dark, as WebP.')
  .option('--out <folder>', 'where to', path.join(repository, 'docs/images'))
  .option(
    '--conversations <file>',
    'also take pictures of recorded conversations; a file of τ-bench, see scripts/replay',
  )
  .option('--only <names...>', 'only the pictures of these names')
  .option('--loop', 'instead: the pictures of the way from a failing trace to a better prompt, which its test takes')
  .parse()
  .opts<{ out: string; conversations?: string; only?: string[]; loop?: boolean }>()

if (options.loop === true) {
  await takeLoop(options.out)
  process.exit()
}

const data = await mkdtemp(path.join(tmpdir(), 'tracelake-pictures-'))
const key = Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')
const server = Bun.spawn([process.execPath, 'dist/tracelake.js', 'serve', '--port', '0', '--data', data], {
  cwd: repository,
  env: { ...process.env, TRACELAKE_ADMIN_KEY: key, TRACELAKE_LOG_LEVEL: 'warn' },
  stdout: 'pipe',
  stderr: 'inherit',
})
try {
  const url = await addressOf(server.stdout)
  await run('demo', ['--url', url, '--key', key, '--project', project, '--until', until, '--traces', '300'])
  await storeBoard(url, key, project)
  if (options.conversations !== undefined)
    await run('replay', [path.resolve(options.conversations), '--url', url, '--key', key, '--project', recorded])
  await mkdir(options.out, { recursive: true })
  await takeAll(url)
} finally {
  server.kill('SIGTERM')
  await server.exited
  await rm(data, { recursive: true, force: true })
}

async function takeAll(url: string): Promise<void> {
  const browser = await startBrowser()
  try {
    const cookie = await signIn(url)
    const { traceIds, threadId } = await choose(url)
    const all = [
      ...views(project, traceIds, threadId),
      ...(options.conversations === undefined ? [] : conversationViews(recorded, await chooseAnswer(url))),
    ]
    const chosen = all.filter(({ name }) => options.only?.includes(name) ?? true)
    for (const theme of ['light', 'dark'] as const)
      for (const view of chosen) {
        const png = await take(view, theme)
        const picture = await toWebP(browser, png)
        const file = path.join(options.out, `${view.name}-${theme}.webp`)
        await Bun.write(file, picture)
        console.log(`${path.relative(process.cwd(), file)}: ${Math.round(picture.byteLength / 1000)} KB`)
      }

    async function take({ path: address, isPhone = false }: View, theme: 'light' | 'dark'): Promise<Buffer> {
      const context = await browser.newContext({
        viewport: isPhone ? phone : desktop,
        deviceScaleFactor: isPhone ? 2 : 1,
        hasTouch: isPhone,
        colorScheme: theme,
        timezoneId: 'UTC',
        locale: 'en-US',
        reducedMotion: 'reduce',
      })
      try {
        await context.addCookies([{ name: 'tracelake_session', value: cookie, url: `${url}/ui/` }])
        const page = await context.newPage()
        await page.clock.setFixedTime(new Date(until))
        await page.goto(url + address)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.waitForTimeout(settleMs)
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        return await page.screenshot()
      } finally {
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
}

async function addressOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true })
    const address = /listening on (http:\S+)/.exec(text)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Start the server: it ended: ${text}`)
}

async function run(command: string, words: readonly string[]): Promise<void> {
  const child = Bun.spawn([path.join(repository, 'scripts', command), ...words], {
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await child.exited) !== 0) throw new Error(`Send the ${command}: it ended with ${child.exitCode}`)
}

/** @returns the value of the cookie */
async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/ui/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key }),
  })
  const value = /tracelake_session=([0-9a-f]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (value === undefined) throw new Error(`Sign in: ${response.status} ${await response.text()}`)
  return value
}

interface ListedCall {
  readonly id: string
  readonly trace_id: string
  readonly thread_id: string
  readonly ended_at: string | null
}

async function listCalls(url: string, query: Record<string, unknown>): Promise<ListedCall[]> {
  const response = await fetch(`${url}/calls/stream_query`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`api:${key}`)}`,
      'content-type': 'application/json',
      accept: 'application/jsonl',
    },
    body: JSON.stringify({ ...query, columns: ['id', 'trace_id', 'thread_id', 'started_at', 'ended_at'] }),
  })
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as ListedCall)
}

/** The last answer of the model in the first recorded conversation. */
async function chooseAnswer(url: string): Promise<{ traceId: string; id: string; threadId: string }> {
  const [first] = await listCalls(url, { project_id: recorded, filter: { trace_roots_only: true }, limit: 1 })
  if (first === undefined) throw new Error('Choose what to take pictures of: no conversation is recorded')
  const filter = { trace_ids: [first.trace_id] }
  const [last] = await listCalls(url, {
    project_id: recorded,
    filter,
    query: { $expr: { $contains: { input: { $getField: 'op_name' }, substr: { $literal: 'chat' } } } },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
    limit: 1,
  })
  return { traceId: first.trace_id, id: (last ?? first).id, threadId: first.thread_id }
}

/** Two traces of one conversation, the longest one. */
async function choose(url: string): Promise<{ traceIds: string[]; threadId: string }> {
  const calls = await listCalls(url, {
    project_id: project,
    filter: { trace_roots_only: true },
    sort_by: [{ field: 'started_at', direction: 'desc' }],
  })
  const threads = Map.groupBy(
    calls.filter(({ ended_at }) => ended_at !== null),
    ({ thread_id }) => thread_id,
  )
  const [longest] = [...threads].sort(([, a], [, b]) => b.length - a.length)
  if (longest === undefined) throw new Error('Choose what to take pictures of: the demo has no conversation')
  return { threadId: longest[0], traceIds: longest[1].map(({ trace_id }) => trace_id) }
}
