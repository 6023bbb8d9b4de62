import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { ServerChild } from './server-child.ts'

const adminKey = 'l'.repeat(40)
let data: string
let servers: ServerChild[]
beforeEach(async () => {
  data = await makeTempFolder()
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.kill()
  await removeFolder(data)
})

function start(): ServerChild {
  const server = new ServerChild({ kind: 'plain', data, adminKey })
  servers.push(server)
  return server
}

const lock = () => join(data, 'lock.duckdb')
const holder = () => join(data, 'server.json')
const count = async (client: Client): Promise<number> => (await new Project(client, 'acme', 'lock').stats()).count

/** Starts calls until one is rejected or the server dies. Returns how many were acknowledged. */
async function writeUntilRefused(client: Client, name: string, onFirst = () => {}): Promise<number> {
  for (let done = 0; ; done++) {
    const body = {
      start: {
        project_id: 'acme/lock',
        id: `${name}-${done}`,
        op_name: 'op',
        trace_id: 't',
        started_at: new Date(),
        attributes: {},
        inputs: {},
      },
    }
    const answer = await client.post('/call/start', body).catch(() => undefined)
    if (answer?.status !== 200) return done
    if (done === 0) onFirst()
  }
}

test('a server whose lock file was removed keeps others out, stops accepting writes and exits with an error', async () => {
  const first = start()
  const client = await first.listening()
  // It must not notice before the other one has started, however long that takes.
  process.kill(first.pid, 'SIGSTOP')
  rmSync(lock())
  await expect(start().listening()).rejects.toThrow(/has it open/)
  process.kill(first.pid, 'SIGCONT')
  expect(await first.exited).toBe(1)
  expect(await first.kill()).toContain('the lock on the data folder was lost')
  expect(await client.get('/health').catch(() => undefined)).toBeUndefined()
  await (await start().listening()).get('/health')
}, 300_000)

test('no acknowledged write is lost if a second server gets the lock', async () => {
  const first = start()
  const begun = Promise.withResolvers<void>()
  const writing = writeUntilRefused(await first.listening(), 'first', begun.resolve)
  await begun.promise
  rmSync(lock())
  rmSync(holder())
  const client = await start().listening()
  const acknowledged = await writing
  expect(await first.exited).toBe(1)
  expect(acknowledged).toBeGreaterThan(0)
  // The rejected one may have been stored.
  expect(await count(client)).toBeWithin(acknowledged, acknowledged + 2)
}, 300_000)

test('an empty, truncated or invalid lock file does not prevent a start', async () => {
  expect(await (await start().listening()).get('/health')).toMatchObject({ status: 200 })
  await servers[0]!.stop()
  const damages = [() => truncateSync(lock(), 0), () => truncateSync(lock(), 4096), () => writeFileSync(lock(), 'lock')]
  for (const damage of damages) {
    damage()
    writeFileSync(holder(), '')
    const server = start()
    await server.listening()
    await expect(start().listening()).rejects.toThrow(/has it open/)
    expect(await server.stop()).toBe(0)
    expect(existsSync(`${lock()}.mending`)).toBe(false)
  }
}, 300_000)
