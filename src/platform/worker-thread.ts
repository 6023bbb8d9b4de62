import { isMainThread, parentPort } from 'node:worker_threads'

/** Whether this runs in a thread that `startWorker` started. */
export const isWorker = !isMainThread

/** In a thread: answers each message with what `answer` makes of it, in their order. */
export function serveMessages(answer: (message: unknown) => Promise<unknown>): void {
  let before = Promise.resolve()
  parentPort!.on('message', (message) => {
    before = before.then(async () => parentPort!.postMessage(await answer(message)))
  })
}
