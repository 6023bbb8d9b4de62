import { expect, test } from 'bun:test'
import process from 'node:process'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'
import { SpanSender } from './span-sender.ts'

const rounds = Math.max(2, Math.ceil(Number(process.env['TRACELAKE_CRASH_ROUNDS'] ?? 32) / 16))
const senders = 3
/** Exports of each sender before the kill: a thread is ready long before the last of them. */
const exportsMin = 30
const roundMsMax = 120_000
const adminKey = 'c'.repeat(40)
/** Large enough that a thread decodes, maps and encodes the export. */
const paddingBytes = 50_000

test(
  'spans that threads prepare survive kill -9 once acknowledged',
  async () => {
    const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    const data = await makeTempFolder()
    const all = Array.from(
      { length: senders },
      (_, index) => new SpanSender(`prepared-${index}`, new Random(random.below(2 ** 31)), paddingBytes),
    )
    for (let round = 0; round <= rounds; round++) {
      const server = new ServerChild({ kind: round === rounds ? 'plain' : 'flushing', data, adminKey })
      try {
        const client = await server.listening()
        for (const sender of all) expect(await sender.differences(client)).toEqual([])
        if (round === rounds) {
          expect(await server.stop()).toBe(0)
          break
        }
        server.beginFlushing()
        await loadAndKill(server, client, all)
      } catch (cause) {
        throw new Error(`Seed ${seed}; data is kept in ${data}`, { cause })
      } finally {
        await server.kill()
      }
    }
    expect(await findFolderFaults(tableFolder(data, 'calls'), ['project_id', 'id'])).toEqual([])
    await removeFolder(data)
  },
  (rounds + 1) * roundMsMax,
)

async function loadAndKill(server: ServerChild, client: Client, all: readonly SpanSender[]) {
  const enough = Promise.withResolvers<void>()
  const loads = all.map((sender) =>
    sender.run(client, (sent) => {
      if (sent === exportsMin) enough.resolve()
    }),
  )
  await Promise.race([enough.promise, Promise.all(loads)])
  await server.kill()
  await Promise.all(loads)
}
