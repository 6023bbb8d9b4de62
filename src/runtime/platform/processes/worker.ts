import { Worker as Thread } from 'node:worker_threads'
import type { ThreadName } from './worker-thread.ts'

/** A worker thread that replies to messages one by one. */
export interface Worker<Message> {
  /** Sends a message, which is copied, but for the memory that the thread takes over. */
  post(message: Message, transferred?: readonly ArrayBuffer[]): void
  /** Terminates the thread, whatever it is doing; resolves when it is gone. */
  end(): Promise<void>
}

export interface WorkerOptions<Reply> {
  readonly name: ThreadName
  /** The thread's module, as in its own `import.meta.url`. */
  readonly module: string
  readonly onMessage: (reply: Reply) => void
  /** The thread ended unexpectedly. */
  readonly onFailure: (cause: unknown) => void
}

/**
 * Starts a thread that sends one reply per message. It keeps the process alive only while replies
 * are pending. `Message` and `Reply` are those of the thread's module.
 */
export function startWorker<Message, Reply>({
  name,
  module,
  onMessage,
  onFailure,
}: WorkerOptions<Reply>): Worker<Message> {
  const thread = new Thread(new URL(module), { workerData: { thread: name } })
  let isEnding = false
  const fail = (cause: unknown) => {
    if (!isEnding) onFailure(cause)
    isEnding = true
  }
  let awaited = 0
  thread.on('message', (reply: Reply) => {
    awaited--
    if (awaited === 0) thread.unref()
    onMessage(reply)
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
