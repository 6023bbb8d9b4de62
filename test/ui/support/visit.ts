import type { BrowserContext, Page, Request } from 'playwright-core'
import { PageFaults } from './page-faults.ts'
import { sharedInRun } from './run-wide.ts'
import { sharedBrowser } from './shared-browser.ts'

export interface VisitOptions {
  /** Address of the server, without a slash at the end. */
  readonly address: string
  /** `name=value` of a session; without it the visit has no session. */
  readonly cookie?: string | undefined
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** Console messages that the test provokes. */
  readonly expected?: readonly RegExp[]
  /**
   * Whether visits with the same options share what the browser has cached, which makes loading a
   * page cheaper. They share nothing that a page has stored. See
   * docs/decisions/259-pages-looked-at-once.md.
   */
  readonly sharesCache?: boolean
}

const quietMs = 120
const unreadMethods: ReadonlySet<string> = new Set(['PUT', 'DELETE'])
/** Less than a test may take, so that the error says what was awaited. */
const awaitedMsMax = 90_000

/** A person with a browser of their own, who looks at one page. */
export class Visit {
  readonly page: Page
  readonly address: string
  /** Every request of the page, in order. */
  readonly requests: Request[] = []
  private readonly open = new Set<Request>()
  private quietSince = performance.now()

  constructor(page: Page, address: string) {
    this.page = page
    this.address = address
    page.on('request', (request) => {
      this.requests.push(request)
      // Live streams do not end.
      if (request.resourceType() !== 'eventsource' && !request.url().includes('/calls/live')) this.open.add(request)
    })
    // The page ignores the bodies of errors and of changes: the browser may never report their end.
    page.on('response', (response) => {
      const request = response.request()
      if (!response.ok() || unreadMethods.has(request.method())) this.close(request)
    })
    page.on('requestfinished', (request) => this.close(request))
    page.on('requestfailed', (request) => this.close(request))
  }

  /** Goes to `path` and waits until the page is complete. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(this.address + path)
    await this.settled()
  }

  /** Waits until nothing is being read and nothing says that it is busy. */
  settled(): Promise<void> {
    return this.quiet(true)
  }

  /**
   * Waits until nothing is being read.
   * @param isComplete whether nothing may say that it is busy, either
   */
  async quiet(isComplete = false): Promise<void> {
    const giveUpMs = performance.now() + awaitedMsMax
    for (;;) {
      const isQuiet = () => this.open.size === 0 && performance.now() - this.quietSince > quietMs
      // On a busy machine the page may have yet to ask for what an answer has led to.
      if (isQuiet() && ((await this.isComplete()) || !isComplete) && isQuiet()) return
      if (performance.now() > giveUpMs)
        throw new Error(
          `Wait for ${this.page.url()}: it is still busy; open requests: ${[...this.open].map((each) => each.url()).join(', ') || 'none'}`,
        )
      await Bun.sleep(20)
    }
  }

  /** Once the page has nothing else to do. */
  private isComplete(): Promise<boolean> {
    return this.page.evaluate(async () => {
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 }))
      return document.querySelector('#app')?.firstElementChild != null && !document.querySelector('[aria-busy=true]')
    })
  }

  private close(request: Request): void {
    if (this.open.delete(request) && this.open.size === 0) this.quietSince = performance.now()
  }
}

/**
 * Runs `look` with a page in a browser context of its own, and fails if the page does what no page
 * may do.
 */
export async function visiting(options: VisitOptions, look: (visit: Visit) => Promise<void>): Promise<void> {
  const { address, sharesCache = false } = options
  const { context, faults } = sharesCache ? await sharedContext(options) : await openContext(options)
  faults.forget()
  try {
    await using page = await context.newPage()
    await look(new Visit(page, address))
    faults.check()
  } finally {
    if (!sharesCache) await context.close()
  }
}

interface WatchedContext extends AsyncDisposable {
  readonly context: BrowserContext
  readonly faults: PageFaults
}

async function openContext(options: VisitOptions): Promise<WatchedContext> {
  const { address, cookie, theme = 'light', width = 1280, height = 800, expected = [] } = options
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    timezoneId: 'UTC',
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  try {
    context.setDefaultTimeout(awaitedMsMax)
    const faults = new PageFaults(expected)
    await faults.watch(context, new URL(address).origin)
    if (cookie !== undefined) {
      const [name = '', value = ''] = cookie.split('=')
      await context.addCookies([{ name, value, url: `${address}/ui/`, httpOnly: true, sameSite: 'Strict' }])
    }
    return { context, faults, [Symbol.asyncDispose]: () => context.close() }
  } catch (cause) {
    await context.close()
    throw cause
  }
}

/** The one context of this test run for these options. */
function sharedContext(options: VisitOptions): Promise<WatchedContext> {
  const { address, cookie, theme, width, height, expected } = options
  const name = ['context', address, cookie, theme, width, height, expected].join(' ')
  return sharedInRun(name, async () => {
    const watched = await openContext(options)
    await watched.context.addInitScript(() => {
      if (location.origin === 'null') return
      localStorage.clear()
      sessionStorage.clear()
    })
    return watched
  })
}
