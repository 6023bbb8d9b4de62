import { setTimeout as sleep } from 'node:timers/promises'

export interface ClientOptions {
  /** Base address of the server, for example `http://127.0.0.1:8470`. */
  readonly url: string
  readonly key: string
  /** Gives up on a request after this long. */
  readonly patienceMs?: number
  /** Told once for every wait: why, and for how long. */
  readonly onWait?: (reason: string, waitMs: number) => void
}

const firstWaitMs = 200
const longestWaitMs = 5_000
const patienceMs = 10 * 60_000

/** Statuses that say nothing about the request itself: sending it again may help. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * Posts JSON, and posts it again while the server is overloaded, failing, restarting or away. All
 * that it sends may be repeated without harm.
 */
export class PatientClient {
  private readonly options: ClientOptions
  private readonly authorization: string

  constructor(options: ClientOptions) {
    this.options = options
    this.authorization = `Basic ${Buffer.from(`api:${options.key}`).toString('base64')}`
  }

  /** @throws Error with the server's own words when it refuses, or when patience ends. */
  async post(path: string, body: string): Promise<unknown> {
    const givesUpAtMs = Date.now() + (this.options.patienceMs ?? patienceMs)
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const attempt = await this.attempt(path, body)
      if ('answer' in attempt) return attempt.answer
      if (Date.now() + waitMs > givesUpAtMs) throw new Error(`POST ${path}: gave up: ${attempt.obstacle}`)
      const askedForMs = Math.min(attempt.retryAfterMs ?? 0, longestWaitMs)
      const nextMs = Math.max(waitMs, askedForMs)
      this.options.onWait?.(attempt.obstacle, nextMs)
      await sleep(nextMs)
    }
  }

  private async attempt(path: string, body: string): Promise<Attempt> {
    let response: Response
    let text: string
    try {
      response = await fetch(new URL(path, this.options.url), {
        method: 'POST',
        headers: { authorization: this.authorization, 'content-type': 'application/json' },
        body,
      })
      text = await response.text()
    } catch (cause) {
      // Refused, reset or cut off: a server that was killed and comes back looks like this.
      return { obstacle: cause instanceof Error ? cause.message : String(cause) }
    }
    if (response.ok) return { answer: JSON.parse(text) }
    const reason = `${response.status} ${text.slice(0, 500)}`
    if (!passing.has(response.status)) throw new Error(`POST ${path}: ${reason}`)
    const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(retryAfterS) ? { obstacle: reason, retryAfterMs: retryAfterS * 1000 } : { obstacle: reason }
  }
}

type Attempt = { readonly answer: unknown } | { readonly obstacle: string; readonly retryAfterMs?: number }
