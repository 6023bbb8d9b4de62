import { Worker as Thread } from 'node:worker_threads'
import type { ThreadName } from './worker-thread.ts'

/** A worker thread that replies to messages one by one. */
export interface Worker {
  /** Sends a message, which is copied, but for the memory that the thread takes over. */
  post(message: unknown, transferred?: readonly ArrayBuffer[]): void
  /** Terminates the thread, whatever it is doing; resolves when it is gone. */
  end(): Promise<void>
}

export interface WorkerOptions {
  readonly name: ThreadName
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
export function startWorker({ name, module, onMessage, onFailure }: WorkerOptions): Worker {
  const thread = new Thread(new URL(module), { workerData: { thread: name } })
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
    post: (message, transferred = []) => {
      awaited++
      if (awaited === 1) thread.ref()
      thread.postMessage(message, [...transferred])
    },
    end: async () => {
      isEnding = true
      await thread.terminate()
    },
  }
}
