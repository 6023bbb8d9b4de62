import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { startBrowser } from '../../browser/start-browser.ts'
import type { BenchServer } from '../bench-server.ts'

const waitMsMax = 120_000

/** A browser page that is signed in, and what its visitor sees. */
export class SeenPage implements AsyncDisposable {
  readonly page: Page
  private readonly context: BrowserContext
  private readonly url: string
  private readonly devtools: CDPSession

  private constructor(context: BrowserContext, page: Page, devtools: CDPSession, url: string) {
    this.context = context
    this.page = page
    this.devtools = devtools
    this.url = url
  }

  static async open({ url, key }: BenchServer): Promise<SeenPage> {
    const browser = await startBrowser()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'UTC' })
    const [name = '', value = ''] = (await signIn(url, key)).split('=')
    await context.addCookies([{ name, value, url: `${url}/ui/` }])
    await context.addInitScript(watch)
    const page = await context.newPage()
    return new SeenPage(context, page, await context.newCDPSession(page), url)
  }

  /** Goes to `path`. @returns milliseconds until something that `selector` finds is painted */
  async goTo(path: string, selector: string): Promise<number> {
    await this.page.goto('about:blank')
    await this.page.goto(this.url + path, { waitUntil: 'commit' })
    return this.number(`benchPainted(${JSON.stringify(selector)})`)
  }

  /** Clicks. @returns milliseconds until `selector` is painted, and the longest task until then */
  async click(target: string, selector: string): Promise<{ ms: number; longestTaskMs: number }> {
    await this.page.waitForTimeout(500)
    const ms = await this.number(`(async () => {
      benchTasks.length = 0
      const fromMs = performance.now()
      document.querySelector(${JSON.stringify(target)}).click()
      return (await benchPainted(${JSON.stringify(selector)})) - fromMs
    })()`)
    await this.page.waitForTimeout(300)
    return { ms, longestTaskMs: await this.number('Math.max(0, ...benchTasks)') }
  }

  /** Scrolls what `selector` finds for `frames` frames. @returns milliseconds of each frame */
  async scroll(selector: string, frames: number): Promise<number[]> {
    return (await this.page.evaluate(`new Promise((resolve) => {
      const box = document.querySelector(${JSON.stringify(selector)})
      const times = []
      let before
      const step = (now) => {
        if (before !== undefined) times.push(now - before)
        before = now
        if (times.length >= ${frames}) return resolve(times)
        box.scrollTop += 120
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })`)) as number[]
  }

  /**
   * Scrolls what `selector` finds to a share of its height. @returns milliseconds until rows that
   * are far from those before are painted, all of them read
   */
  async jump(selector: string, share: number): Promise<number> {
    await this.page.waitForTimeout(500)
    return await this.number(`new Promise((resolve, reject) => {
      const box = document.querySelector(${JSON.stringify(selector)})
      const place = () => Number(box.querySelectorAll('[role=row]')[1]?.getAttribute('aria-rowindex'))
      const before = place()
      const fromMs = performance.now()
      box.scrollTop = box.scrollHeight * ${share}
      const look = () => {
        const isThere = Math.abs(place() - before) > 1000 && box.querySelector('[role=row][aria-busy]') === null
        if (isThere) requestAnimationFrame(() => resolve(performance.now() - fromMs))
        else if (performance.now() - fromMs > ${waitMsMax}) reject(new Error('No rows to be seen after a jump'))
        else requestAnimationFrame(look)
      }
      look()
    })`)
  }

  /**
   * Types into what `selector` finds, a key at a time. @returns milliseconds that the main thread
   * worked per key: scripts, layout and painting, without waiting for frames
   */
  async type(selector: string, keys: number): Promise<number> {
    await this.devtools.send('Performance.enable')
    const field = this.page.locator(selector)
    await field.click()
    await field.press('a')
    await this.page.waitForTimeout(800)
    const before = await this.workedMs()
    for (let key = 0; key < keys; key++) {
      await field.press('b')
      await this.page.waitForTimeout(50)
    }
    return ((await this.workedMs()) - before) / keys
  }

  private async workedMs(): Promise<number> {
    const { metrics } = await this.devtools.send('Performance.getMetrics')
    const seconds = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
    // What answers the commands of the benchmark is no work of the page.
    return (seconds('TaskDuration') - seconds('DevToolsCommandDuration')) * 1000
  }

  /** Bytes of the heap after a collection. */
  async heapBytes(): Promise<number> {
    await this.devtools.send('HeapProfiler.collectGarbage')
    await this.devtools.send('HeapProfiler.collectGarbage')
    return (await this.devtools.send('Runtime.getHeapUsage')).usedSize
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.browser()?.close()
  }

  private async number(expression: string): Promise<number> {
    return Number(await this.page.evaluate(expression))
  }
}

/**
 * Collects the durations of long tasks, and adds `benchPainted`, which gives the time at which an
 * element has been painted: one frame after it was there.
 */
const watch = `
  globalThis.benchTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.benchTasks.push(duration)
  }).observe({ type: 'longtask' })
  globalThis.benchPainted = (selector) => new Promise((resolve, reject) => {
    const look = () => {
      if (document.querySelector(selector)) requestAnimationFrame(() => resolve(performance.now()))
      else if (performance.now() > ${waitMsMax}) reject(new Error('Nothing to be seen of ' + selector))
      else requestAnimationFrame(look)
    }
    look()
  })`

/** @returns the cookie */
async function signIn(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/ui/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key }),
  })
  const [cookie] = response.headers.getSetCookie()
  if (!response.ok || cookie === undefined)
    throw new Error(`Sign in to the web UI: ${response.status} ${await response.text()}`)
  return cookie.split(';')[0]!
}
