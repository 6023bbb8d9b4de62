import { expect } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'
import { SpanSender } from './span-sender.ts'

const senders = 3
const adminKey = 'c'.repeat(40)

/** Senders that load a server until it is killed. */
export interface SpanLoad {
  readonly client: Client
  readonly all: readonly SpanSender[]
  readonly random: Random
}

/**
 * Kills a server while it flushes and takes spans, `rounds` times, and expects that every
 * acknowledged export is there after each restart.
 *
 * @param load sends until the server dies, and calls `kill` at some time
 */
export async function expectSpansToSurvive(
  { rounds, paddingBytes = 0 }: { rounds: number; paddingBytes?: number },
  load: (parts: SpanLoad, kill: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
  const random = new Random(seed)
  const data = await makeTempFolder()
  const all = Array.from(
    { length: senders },
    (_, index) => new SpanSender(`sender-${index}`, new Random(random.below(2 ** 31)), paddingBytes),
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
      await load({ client, all, random }, () => server.kill())
    } catch (cause) {
      throw new Error(`Seed ${seed}; data is kept in ${data}`, { cause })
    } finally {
      await server.kill()
    }
  }
  expect(all.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)).toBeGreaterThan(0)
  expect(await findFolderFaults(tableFolder(data, 'calls'), ['project_id', 'id'])).toEqual([])
  await removeFolder(data)
}
