import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core'

/** What no page may do: it fails the test, whatever the test is about. */
export class PageFaults {
  /** How often each was found. */
  private readonly found = new Map<string, number>()
  private readonly expected: readonly RegExp[]

  /** @param expected console messages that a test provokes */
  constructor(expected: readonly RegExp[]) {
    this.expected = expected
  }

  /**
   * Watches every page of `context`: requests to another origin, errors on the console, uncaught
   * errors and reports of the content security policy. No request is intercepted, which would cost
   * time and the browser's cache: `sharedBrowser` finds no host but this machine.
   */
  async watch(context: BrowserContext, origin: string): Promise<void> {
    context.on('console', (message) => this.onConsole(message))
    context.on('weberror', (error) => this.add(`uncaught error: ${error.error().stack ?? error.error().message}`))
    context.on('request', (request) => this.onRequest(request, origin))
    await context.exposeBinding('reportPolicyViolation', (_, report: string) => this.add(`policy report: ${report}`))
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (violation) => {
        const { effectiveDirective, blockedURI, sourceFile, lineNumber } = violation
        const report = `${effectiveDirective}: ${blockedURI} at ${sourceFile}:${lineNumber}`
        ;(window as unknown as { reportPolicyViolation: (report: string) => void }).reportPolicyViolation(report)
      })
    })
  }

  /** Begins anew. */
  forget(): void {
    this.found.clear()
  }

  /** @throws Error with all faults so far */
  check(): void {
    if (this.found.size === 0) return
    const faults = [...this.found].map(([fault, times]) => (times === 1 ? fault : `${fault} (${times} times)`))
    throw new Error(`The page did what no page may do:\n${faults.join('\n')}`)
  }

  private onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error') return
    const text = `${message.text()} (${message.location().url})`
    if (!this.expected.some((each) => each.test(text))) this.add(`console: ${text}`)
  }

  private onRequest(request: Request, origin: string): void {
    const url = request.url()
    if (!isOwn(new URL(url), origin)) this.add(`request to another origin: ${url.slice(0, 200)}`)
  }

  private add(fault: string): void {
    this.found.set(fault, (this.found.get(fault) ?? 0) + 1)
  }
}

/** Contents that the page holds already are its own. */
const isOwn = (url: URL, origin: string): boolean =>
  url.origin === origin || url.protocol === 'data:' || url.protocol === 'blob:' || url.href === 'about:blank'
