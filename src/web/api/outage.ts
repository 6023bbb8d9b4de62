import { signal } from '@preact/signals'
import { base } from '../base.ts'

/** A time in which the server does not answer. See docs/decisions/206-pages-without-a-server.md. */
export interface Outage {
  /** Time of the next probe of the server, in milliseconds since 1970; undefined during a probe. */
  readonly nextTryMs: number | undefined
}

/** Set while the server does not answer. */
export const outage = signal<Outage | undefined>(undefined)

/** Counts how often the server has come back; views that read it catch up. */
export const returns = signal(0)

const firstRetryMs = 1_000
const retryMsMax = 15_000
/** A server that takes longer to answer the probe counts as down. */
const answerMsMax = 10_000
/** A page at which nothing happens learns within this time that the server is gone. */
const checkMs = 10_000

let probe: Promise<boolean> | undefined
let nextProbe: Promise<boolean> | undefined
let retries = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Probes whether the server is up; call it when a request got no answer. While the server is down,
 * the probe is repeated, at first after one second. A response already under way says nothing about
 * the present, so callers in the meantime get the next one.
 */
export function probeServer(): Promise<boolean> {
  if (probe) {
    nextProbe ??= probe.then(() => {
      nextProbe = undefined
      return probeServer()
    })
    return nextProbe
  }
  clearTimeout(timer)
  if (outage.peek()) outage.value = { nextTryMs: undefined }
  probe = isUp().then((isThere) => {
    probe = undefined
    if (isThere) returned()
    else retryLater()
    return isThere
  })
  return probe
}

/** Detects an outage while the page is visible but idle. */
export function watchServer(): void {
  const check = () => {
    if (document.visibilityState === 'visible' && !outage.peek()) void probeServer()
  }
  setInterval(check, checkMs)
  addEventListener('visibilitychange', check)
  addEventListener('online', () => void probeServer())
  addEventListener('offline', () => void probeServer())
}

/**
 * Whether a response is the server's own. A proxy in front of a server that is gone answers with a
 * page of its own.
 */
export const isServerAnswer = ({ status, headers }: Response): boolean =>
  ![502, 503, 504].includes(status) || (headers.get('content-type') ?? '').includes('json')

async function isUp(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMsMax)
  try {
    const response = await fetch(`${base}/ui/api/health`, { cache: 'no-store', signal })
    // To the browser, a request whose answer nobody reads may go on for ever.
    await response.text()
    return isServerAnswer(response)
  } catch {
    return false
  }
}

function returned(): void {
  retries = 0
  if (!outage.peek()) return
  outage.value = undefined
  returns.value++
}

function retryLater(): void {
  const waitMs = Math.min(retryMsMax, firstRetryMs * 2 ** retries++)
  outage.value = { nextTryMs: Date.now() + waitMs }
  timer = setTimeout(() => void probeServer(), waitMs)
}
