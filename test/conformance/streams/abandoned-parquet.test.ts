import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { basic } from '../support/client.ts'
import type { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject, ownServer } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const server = await ownServer()
const project = freshProject(server.client)
const calls = 2_000
const randomText = (bytes: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array((bytes * 3) / 4))))

/**
 * Texts that no compression makes small, so that an answer does not fit into the buffers of a
 * connection.
 */
for (let from = 0; from < calls; from += 200) {
  await project.complete(
    ...Array.from({ length: 200 }, (_, n) => ({ id: `c${from + n}`, inputs: { text: randomText(8_000) } })),
  )
}

const filesLeft = async (): Promise<string[]> =>
  (await readdir(join(server.data, 'tmp'))).filter((name) => /\.(parquet|ndjson)$/.test(name))

/**
 * Asks for all calls in Parquet and leaves after so long; taken are the bytes that came at once, no
 * more.
 */
async function askAndLeave({ id, client }: Project, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(client.address)
  const body = JSON.stringify({ project_id: id })
  const head = [
    'POST /calls/stream_query HTTP/1.1',
    `host: ${hostname}`,
    `authorization: ${basic('api', client.key)}`,
    'accept: application/vnd.apache.parquet',
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`))
    socket.on('error', () => {}).on('close', () => resolve())
    socket.once('data', () => socket.pause())
    setTimeout(() => socket.destroy(), afterMs)
  })
}

const askParquet = (asked: Project) =>
  fetch(`${asked.client.address}/calls/stream_query`, {
    method: 'POST',
    body: JSON.stringify({ project_id: asked.id }),
    headers: {
      authorization: basic('api', asked.client.key),
      accept: 'application/vnd.apache.parquet',
      'content-type': 'application/json',
    },
  })

async function untilNoFileIsLeft(): Promise<void> {
  await until(async () => (await filesLeft()).length === 0)
}

test('a client that disconnects at any time leaves no file behind', async () => {
  for (const group of [
    [0, 1, 2, 5, 10, 20, 40],
    [60, 90, 130, 180, 250, 350, 500],
  ]) {
    await Promise.all(group.map((afterMs) => askAndLeave(project, afterMs)))
    await untilNoFileIsLeft()
  }
  await Promise.all([1500, 2000, 2500].map((afterMs) => askAndLeave(project, afterMs)))
  await untilNoFileIsLeft()
}, 120_000)

test('a response that is read in full leaves no file behind', async () => {
  const answer = await askParquet(project)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(calls * 4_000)
  await untilNoFileIsLeft()
})

test('one key has a limited share of concurrent responses, and another is served', async () => {
  const held: Response[] = []
  for (;;) {
    const answer = await askParquet(project)
    if (answer.status !== 200) {
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBeString()
      expect(await answer.json()).toMatchObject({ error_type: 'TooManyRequests' })
      break
    }
    held.push(answer)
    expect(held.length).toBeLessThan(64)
  }
  const other = project.withKey(await server.createKey({ name: 'other', role: 'read', scope: project.id }))
  const answer = await askParquet(other)
  expect(answer.status).toBe(200)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(calls * 4_000)
  for (const one of held) await one.body!.cancel()
  await untilNoFileIsLeft()
  expect((await askParquet(project)).status).toBe(200)
}, 120_000)

test('files of a killed server are deleted at the next start', async () => {
  const first = await startServer({ data: await makeTempFolder() })
  const own = freshProject(first.client)
  await own.complete(...Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, inputs: { text: randomText(8_000) } })))
  const held = await askParquet(own)
  expect(held.status).toBe(200)
  await first.kill()
  const second = await startServer({ data: first.data })
  try {
    const left = (await readdir(join(first.data, 'tmp'))).filter((name) => /\.(parquet|ndjson)$/.test(name))
    expect(left).toEqual([])
  } finally {
    await second.stop()
    await removeFolder(first.data)
  }
}, 120_000)
