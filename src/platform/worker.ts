import { Worker as Thread } from 'node:worker_threads'

/** A thread of its own that answers messages, one after the other. */
export interface Worker {
  /** Sends a message. Messages are copied. */
  post(message: unknown): void
  /** Ends the thread, whatever it is doing; resolves when it is gone. */
  end(): Promise<void>
}

export interface WorkerOptions {
  /** Address of the module that runs in the thread, as its own `import.meta.url` says. */
  readonly module: string
  readonly onMessage: (message: unknown) => void
  /** The thread is gone, without having been told to. */
  readonly onFailure: (cause: unknown) => void
}

/** Starts a thread that answers each message with one. It keeps the process alive only while an answer is to come. */
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
  thread.on('exit', (code) => fail(new Error(`The thread ended with ${code}`)))
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
