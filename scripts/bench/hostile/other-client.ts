import type { Target } from '../http/requests.ts'

const pauseMs = 10

/** Asks the same small question over and over, while somebody else does something to the server. */
export class OtherClient {
  private readonly target: Target
  private readonly path: string
  private readonly body: string
  private readonly timeoutMs: number
  private readonly stopped = new AbortController()
  private readonly asking: Promise<void>
  private longestMs = 0
  private failures = 0

  constructor(target: Target, path: string, body: object, timeoutMs: number) {
    this.target = target
    this.path = path
    this.body = JSON.stringify(body)
    this.timeoutMs = timeoutMs
    this.asking = this.askOn()
  }

  /** How long the longest answer took, and how many requests got none. */
  async stop(): Promise<{ longestMs: number; failures: number }> {
    this.stopped.abort()
    await this.asking
    return { longestMs: this.longestMs, failures: this.failures }
  }

  private async askOn(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const startMs = performance.now()
      if (!(await this.ask())) this.failures++
      this.longestMs = Math.max(this.longestMs, performance.now() - startMs)
      await Bun.sleep(pauseMs)
    }
  }

  private async ask(): Promise<boolean> {
    try {
      const { url, key } = this.target
      const answer = await fetch(url + this.path, {
        method: 'POST',
        body: this.body,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(this.timeoutMs),
      })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      // No answer in time is what is measured.
      return false
    }
  }
}
