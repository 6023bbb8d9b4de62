import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { present } from '../../../lib/present.ts'

/** Purpose of a thread. In an executable, all threads begin with the same file. */
export type ThreadName = 'judging' | 'intake'

/** Which thread started by `startWorker` this is; undefined in the main thread. */
export const threadName: ThreadName | undefined = isMainThread ? undefined : nameIn(workerData)

function nameIn({ thread }: { readonly thread: ThreadName }): ThreadName {
  return thread
}

/** A reply, and its memory that the main thread takes over. */
export interface Reply {
  readonly message: unknown
  readonly transferred: readonly ArrayBuffer[]
}

/** In a worker thread: replies to each message with the result of `answer`, in order. */
export function serveMessages<Message>(answer: (message: Message) => Promise<Reply>): void {
  let before = Promise.resolve()
  const port = present(parentPort, 'The port of a worker thread')
  port.on('message', (message: Message) => {
    before = before.then(async () => {
      const reply = await answer(message)
      port.postMessage(reply.message, [...reply.transferred])
    })
  })
}
