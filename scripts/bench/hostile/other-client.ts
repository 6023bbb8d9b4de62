/** What the thread repeatedly requests. */
export interface OtherClientTask {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly timeoutMs: number
}

/**
 * Repeats a small request while another client attacks the server. It runs in a thread of its own,
 * because producing the attacker's requests takes time that must not count as latency.
 */
export class OtherClient {
  private readonly worker = new Worker(new URL('./other-client-thread.ts', import.meta.url).href)
  private readonly began: Promise<void>
  private readonly ended: Promise<number>

  constructor(task: OtherClientTask) {
    const { worker } = this
    const began = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<number>()
    worker.addEventListener('message', ({ data }: MessageEvent<number | 'began'>) => {
      if (data === 'began') began.resolve()
      else ended.resolve(data)
    })
    worker.addEventListener('error', ({ message }) => {
      began.reject(new Error(message))
      ended.reject(new Error(message))
    })
    this.began = began.promise
    this.ended = ended.promise
    worker.postMessage(task)
  }

  /** Resolves after the first response. */
  async begin(): Promise<void> {
    await this.began
  }

  /** The longest response time since the start. */
  async stop(): Promise<number> {
    this.worker.postMessage('stop')
    const longestMs = await this.ended
    this.worker.terminate()
    return longestMs
  }
}
