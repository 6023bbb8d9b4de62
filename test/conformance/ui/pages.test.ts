import { beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ownServer, sharedServer } from '../support/target.ts'

let address: string
beforeAll(async () => {
  address = (await sharedServer()).address
})

/** As browsers ask for a page, or with another `accept`. */
const ask = (path: string, headers: Record<string, string> = {}, base = address): Promise<Response> =>
  fetch(base + path, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'identity', ...headers },
    redirect: 'manual',
    decompress: false,
  })

const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(([, path]) => path!)

describe('the root', () => {
  test('leads browsers to the UI', async () => {
    const response = await ask('/')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/ui/'])
    expect(response.headers.get('vary')).toContain('accept')
  })

  test.each([['*/*'], ['application/json'], ['application/json, text/html;q=0.9'], ['text/html;q=0'], ['']])(
    'answers 404 in JSON to %p',
    async (accept) => {
      const response = await ask('/', { accept })
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ detail: 'Not Found' })
    },
  )
})

describe('the shell', () => {
  test.each(['/ui/', '/ui/acme/bot/traces', '/ui/acme/bot/trace/0190?call=1', '/ui/login'])(
    'serves %s',
    async (path) => {
      const response = await ask(path)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      const html = await response.text()
      expect(html).toContain('<meta name="tracelake-base" content="">')
      expect(assetsOf(html).length).toBeGreaterThan(0)
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/)
      expect(html).not.toContain('<style')
      expect(html).not.toMatch(/\son\w+=/)
    },
  )

  test('is revalidated at every visit', async () => {
    const first = await ask('/ui/acme/bot/traces')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await ask('/ui/acme/bot/traces', { 'if-none-match': first.headers.get('etag')! })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.each([
    ['/ui/', 'projects'],
    ['/ui/acme/bot', 'traces'],
    ['/ui/acme/bot/calls?f=op', 'calls'],
    ['/ui/settings/keys', 'settings'],
  ])('names the scripts of the view of %s', async (path, view) => {
    const html = await (await ask(path)).text()
    const scripts = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, script]) => script!)
    expect(scripts.some((script) => script.includes(`/${view}-view-`))).toBe(true)
    for (const script of scripts) expect((await ask(script)).status).toBe(200)
  })

  test('preloads the session for browsers that have one', async () => {
    const preload = '<link rel="preload" as="fetch" crossorigin href="/ui/session">'
    expect(await (await ask('/ui/')).text()).not.toContain(preload)
    const cookie = `tracelake_session=${'0'.repeat(64)}`
    expect(await (await ask('/ui/', { cookie })).text()).toContain(preload)
  })

  test.each([
    ['/ui/acme/bot', true],
    ['/ui/acme/bot/traces?f=op', true],
    ['/ui/acme/bot/calls', true],
    ['/ui/acme/bot/trace/0190', false],
    ['/ui/', false],
  ])('begins with the script that asks for rows, for browsers that have a session: %s %p', async (path, hasRows) => {
    const first = /^<!doctype html>.*?<script src="[^"]*\/first-rows-[^"]*\.js"><\/script>.*?<script/s
    const cookie = `tracelake_session=${'0'.repeat(64)}`
    expect(first.test(await (await ask(path, { cookie })).text())).toBe(hasRows)
    expect(await (await ask(path)).text()).not.toContain('first-rows')
  })

  test('leads /ui to /ui/', async () => {
    const response = await ask('/ui')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/ui/'])
  })

  test('restricts what the browser loads and runs', async () => {
    const { headers } = await ask('/ui/')
    const policy = headers.get('content-security-policy')!.split('; ')
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(directive)
    expect(policy.join()).not.toMatch(/unsafe|http|\*/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('is not served for methods that write', async () => {
    const response = await fetch(`${address}/ui/`, { method: 'POST', body: '{}' })
    expect(response.status).toBeGreaterThanOrEqual(400)
  })
})

describe('assets', () => {
  test('are kept for a year, and come compressed', async () => {
    const [path] = assetsOf(await (await ask('/ui/')).text()).filter((each) => /\/index-[^/]*\.js$/.test(each))
    const plain = await ask(path!)
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    const bytes = Buffer.from(await plain.arrayBuffer())
    const br = await ask(path!, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(br.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await br.arrayBuffer()).equals(bytes)).toBe(true)
    const gzip = await ask(path!, { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(await gzip.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test.each(['/ui/assets/none.js', '/ui/assets/', '/ui/assets/..%2findex.html', '/ui/assets/index.html'])(
    'that do not exist are 404: %s',
    async (path) => {
      const response = await ask(path)
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
    },
  )
})

const server = await ownServer({ env: { TRACELAKE_BASE_PATH: '/tools/tracelake/' } })
const below = server.client.address

describe('a base path', () => {
  test('is in every link', async () => {
    const root = await ask('/tools/tracelake/', {}, below)
    expect(root.headers.get('location')).toBe('/tools/tracelake/ui/')
    const html = await (await ask('/tools/tracelake/ui/a/b/traces', {}, below)).text()
    expect(html).toContain('<meta name="tracelake-base" content="/tools/tracelake">')
    const assets = assetsOf(html)
    expect(assets.length).toBeGreaterThan(0)
    for (const path of assets) {
      expect(path).toStartWith('/tools/tracelake/ui/assets/')
      expect((await ask(path, {}, below)).status).toBe(200)
    }
  })

  test('is optional in requests: proxies may remove it, and the API is there with and without', async () => {
    expect(await (await ask('/ui/', {}, below)).text()).toContain('content="/tools/tracelake"')
    for (const path of ['/version', '/tools/tracelake/version']) expect((await ask(path, {}, below)).status).toBe(200)
    expect((await ask('/tools/tracelake-not/version', {}, below)).status).toBe(404)
  })
})
