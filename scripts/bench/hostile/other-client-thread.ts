import type { OtherClientTask } from './other-client.ts'

declare const self: Worker

const pauseMs = 10
let isStopped = false

async function askOn(task: OtherClientTask): Promise<number> {
  // Do not measure connecting and warming up.
  await ask(task)
  self.postMessage('began')
  let longestMs = 0
  while (!isStopped) {
    const startMs = performance.now()
    await ask(task)
    longestMs = Math.max(longestMs, performance.now() - startMs)
    await Bun.sleep(pauseMs)
  }
  return longestMs
}

async function ask({ url, key, body, timeoutMs }: OtherClientTask): Promise<void> {
  try {
    const answer = await fetch(`${url}/call/read`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.arrayBuffer()
  } catch {
    // A missing response is what is measured.
  }
}

self.addEventListener('message', async ({ data }: MessageEvent<OtherClientTask | 'stop'>) => {
  if (data === 'stop') isStopped = true
  else self.postMessage(await askOn(data))
})
