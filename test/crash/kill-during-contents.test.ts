import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { ContentWorkload, digestOf } from './content-workload.ts'
import { crashRounds } from './crash-rounds.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const rounds = crashRounds({ each: 4 })
const clients = 3
const loadMsMax = 900
const adminKey = 'c'.repeat(40)
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(
  `acknowledged files and tables survive ${rounds} kills (TRACELAKE_TEST_SEED=${seed})`,
  async () => {
    const data = await makeTempFolder()
    const random = new Random(seed)
    const workloads = Array.from(
      { length: clients },
      (_, index) => new ContentWorkload(`w${index}`, new Random(random.below(2 ** 31))),
    )
    for (let round = 0; round < rounds; round++) {
      const server = new ServerChild({ kind: random.chance(0.8) ? 'flushing' : 'plain', data, adminKey })
      try {
        const client = await server.listening()
        await check(client, workloads, data)
        server.beginFlushing()
        const loads = Promise.all(workloads.map((workload) => workload.run(client)))
        const haveBegun = () => workloads.every(({ acknowledged }) => acknowledged > 0)
        await letLoadRun(random.between(100, loadMsMax), loads, haveBegun)
        const log = await server.kill()
        await loads
        expect(log.split('\n').filter((line) => /"level":"error"|damaged/.test(line))).toEqual([])
      } finally {
        await server.kill()
      }
    }
    const server = new ServerChild({ kind: 'plain', data, adminKey })
    try {
      await check(await server.listening(), workloads, data)
      expect(await server.stop()).toBe(0)
    } finally {
      await server.kill()
    }
    for (const workload of workloads) expect(workload.acknowledged).toBeGreaterThan(0)
    await removeFolder(data)
  },
  rounds * 120_000,
)

async function check(client: Client, workloads: readonly ContentWorkload[], data: string): Promise<void> {
  // The links by which the running server reads data files; those of killed ones are gone.
  const temporary = (await readdir(join(data, 'tmp'))).map((name) => name.replace(/^footers-[0-9a-f]+$/, 'footers'))
  expect(['', 'footers']).toContain(temporary.join())
  for (const workload of workloads) expect(await workload.faults(client)).toEqual([])
  for (const table of ['files', 'table_rows', 'table_chunks', 'table_lists']) {
    expect(await findLastingFaults(tableFolder(data, table), ['project_id', 'digest'])).toEqual([])
  }
  for (const name of await readdir(join(data, 'blobs'), { recursive: true })) {
    const digest = name.split('/')[1]
    // An unreferenced blob may be swept during the check.
    const bytes =
      digest &&
      (await Bun.file(join(data, 'blobs', name))
        .bytes()
        .catch(() => undefined))
    if (bytes) expect(digestOf(bytes)).toBe(digest!)
  }
}
