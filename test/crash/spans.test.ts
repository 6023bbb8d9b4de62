import { expect, test } from 'bun:test'
import process from 'node:process'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'
import { SpanSender } from './span-sender.ts'

const rounds = Math.max(1, Math.ceil(Number(process.env['TRACELAKE_CRASH_ROUNDS'] ?? 32) / 16))
const senders = 3
const loadMsMax = 700
const roundMsMax = 60_000
const adminKey = 'c'.repeat(40)

test(
  `acknowledged spans survive ${rounds} kills`,
  async () => {
    const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    const data = await makeTempFolder()
    const all = Array.from(
      { length: senders },
      (_, i) => new SpanSender(`sender-${i}`, new Random(random.below(2 ** 31))),
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
        const answered = Promise.withResolvers<void>()
        const loads = Promise.all(all.map((sender) => sender.run(client, () => answered.resolve())))
        await Promise.race([answered.promise.then(() => Bun.sleep(random.below(loadMsMax))), loads])
        await server.kill()
        await loads
      } catch (cause) {
        throw new Error(`Seed ${seed}; data is kept in ${data}`, { cause })
      } finally {
        await server.kill()
      }
    }
    expect(all.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)).toBeGreaterThan(0)
    expect(await findFolderFaults(tableFolder(data, 'calls'), ['project_id', 'id'])).toEqual([])
    await removeFolder(data)
  },
  (rounds + 1) * roundMsMax,
)
