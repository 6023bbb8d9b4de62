/** What the thread is to ask, over and over. */
export interface OtherClientTask {
  readonly url: string
  readonly key: string
  readonly body: string
  readonly timeoutMs: number
}

/**
 * Asks the same small question over and over, while somebody else does something to the server. It does so in a thread of its own, since
 * making the other's requests is work too, and is not to count as waiting.
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

  /** Resolves once the first question is answered. */
  async begin(): Promise<void> {
    await this.began
  }

  /** How long the longest answer took since it began. */
  async stop(): Promise<number> {
    this.worker.postMessage('stop')
    const longestMs = await this.ended
    this.worker.terminate()
    return longestMs
  }
}
