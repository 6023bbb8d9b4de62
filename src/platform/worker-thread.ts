import { isMainThread, parentPort } from 'node:worker_threads'

/** Whether this runs in a thread started by `startWorker`. */
export const isWorker = !isMainThread

/** In a worker thread: replies to each message with the result of `answer`, in order. */
export function serveMessages(answer: (message: unknown) => Promise<unknown>): void {
  let before = Promise.resolve()
  parentPort!.on('message', (message) => {
    before = before.then(async () => parentPort!.postMessage(await answer(message)))
  })
}
