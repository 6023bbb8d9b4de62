import { beforeAll, expect, test } from 'bun:test'
import { buildGuideOnce } from '../support/build-guide.ts'
import { ownServer } from '../support/target.ts'

beforeAll(buildGuideOnce, 300_000)

const server = await ownServer({ env: { TRACELAKE_BASE_PATH: '/lake' } })
const get = (place: string, headers: Record<string, string> = {}) =>
  fetch(`${server.client.address}${place}`, { headers, redirect: 'manual' })

test('pages need no key and come with the policy of the web UI', async () => {
  for (const base of ['', '/lake']) {
    const answer = await get(`${base}/docs/guide/questions`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await answer.text()).toContain('<h1 id="querying-calls">Querying calls</h1>')
  }
})

test('the address without a slash leads to the first page, below any path', async () => {
  const answer = await get('/lake/docs/guide')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'guide/'])
})

test('the address of a page with a slash leads to the page', async () => {
  const answer = await get('/lake/docs/guide/clients/langgraph/')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '../langgraph'])
})

test('everything that a page refers to exists, and nothing is inline', async () => {
  const pages = ['', 'questions', 'decisions/096-metrics']
  for (const page of pages) {
    const url = `${server.client.address}/lake/docs/guide/${page}`
    const html = await (await fetch(url)).text()
    expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/)
    const references = [...html.matchAll(/(?:src|href|srcset|data-search)="([^"#]+)[^"]*"/g)].map(([, link]) => link!)
    const own = new Set(
      references.map((link) => new URL(link, url)).filter(({ origin }) => origin === new URL(url).origin),
    )
    const missing: string[] = []
    for (const link of new Set([...own].map(({ pathname }) => pathname)))
      if (!(await fetch(new URL(link, url), { redirect: 'manual' })).status.toString().match(/200|302/))
        missing.push(link)
    expect(missing).toEqual([])
  }
})

test('files whose name has a hash are kept, pages are asked for again', async () => {
  const html = await (await get('/docs/guide/')).text()
  const style = /href="(assets\/[^"]+\.css)"/.exec(html)![1]!
  expect((await get(`/docs/guide/${style}`)).headers.get('cache-control')).toContain('immutable')
  expect((await get('/docs/guide/')).headers.get('cache-control')).toBe('no-cache')
})

test('models find an index, every page as Markdown, and all pages in one file', async () => {
  const index = await (await get('/lake/llms.txt')).text()
  expect(index).toStartWith('# tracelake\n\n> ')
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link]) => new URL(link!, `${server.client.address}/lake/`),
  )
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) {
    const answer = await fetch(link)
    expect([link.pathname, answer.status, answer.headers.get('content-type')]).toEqual([
      link.pathname,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(await answer.text()).toStartWith('# ')
  }
  expect(await (await get('/llms-full.txt')).text()).toContain('\n# Querying calls\n')
})

test('links between pages as Markdown lead to Markdown', async () => {
  const page = `${server.client.address}/docs/guide/opentelemetry.md`
  const link = /\]\((decisions\/096[^)]+)\)/.exec(await (await fetch(page)).text())![1]!
  expect((await fetch(new URL(link, page))).headers.get('content-type')).toContain('text/markdown')
})

test('other names are refused, also those that lead out of the folder', async () => {
  for (const name of ['nothing', 'nothing.md', '..%2f..%2fpackage', '%2e%2e/ui/index', 'assets', '.env', 'a//b', '%00'])
    expect([name, (await get(`/docs/guide/${name}`)).status]).toEqual([name, 404])
  expect((await fetch(`${server.client.address}/docs/guide/questions`, { method: 'POST' })).status).not.toBe(200)
})
