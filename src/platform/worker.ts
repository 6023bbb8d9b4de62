import { Worker as Thread } from 'node:worker_threads'

/** A worker thread that replies to messages one by one. */
export interface Worker {
  /** Sends a message, which is copied. */
  post(message: unknown): void
  /** Terminates the thread, whatever it is doing; resolves when it is gone. */
  end(): Promise<void>
}

export interface WorkerOptions {
  /** The thread's module, as in its own `import.meta.url`. */
  readonly module: string
  readonly onMessage: (message: unknown) => void
  /** The thread ended unexpectedly. */
  readonly onFailure: (cause: unknown) => void
}

/**
 * Starts a thread that sends one reply per message. It keeps the process alive only while replies
 * are pending.
 */
export function startWorker({ module, onMessage, onFailure }: WorkerOptions): Worker {
  const thread = new Thread(new URL(module))
  let isEnding = false
  const fail = (cause: unknown) => {
    if (!isEnding) onFailure(cause)
    isEnding = true
  }
  let awaited = 0
  thread.on('message', (message) => {
    awaited--
    if (awaited === 0) thread.unref()
    onMessage(message)
  })
  thread.on('error', fail)
  thread.on('exit', (code) => fail(new Error(`Worker thread exited with code ${code}`)))
  thread.unref()
  return {
    post: (message) => {
      awaited++
      if (awaited === 1) thread.ref()
      thread.postMessage(message)
    },
    end: async () => {
      isEnding = true
      await thread.terminate()
    },
  }
}
