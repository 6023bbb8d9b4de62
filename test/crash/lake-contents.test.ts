import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { Random, seedOr } from '../store/random.ts'
import { ContentWorkload, digestOf } from './content-workload.ts'
import { crashRounds } from './crash-rounds.ts'
import { LakeNodes } from './lake-nodes.ts'
import { letLoadRun } from './let-load-run.ts'

const rounds = crashRounds({ each: 8, min: 2 })
const clients = 3
const loadMsMax = 900
const triesMax = 20
const pauseMs = 500
const seed = seedOr(Math.floor(Math.random() * 2 ** 31))

test(
  `a node with an empty cache has all files and tables after ${rounds} kills (TRACELAKE_TEST_SEED=${seed})`,
  async () => {
    const folder = await makeTempFolder()
    const lake = join(folder, 'lake')
    const nodes = new LakeNodes(folder, { TRACELAKE_LAKE: lake })
    const random = new Random(seed)
    const workloads = Array.from(
      { length: clients },
      (_, index) => new ContentWorkload(`w${index}`, new Random(random.below(2 ** 31))),
    )
    try {
      let owner = await nodes.start()
      // However slow the machine is: with files of each client.
      const haveBegun = () => workloads.every(({ fileCount }) => fileCount > 0)
      for (let round = 0; round < rounds || !haveBegun(); round++) {
        const client = await owner.listening()
        for (const workload of workloads) expect(await lastingFaults(workload, client)).toEqual([])
        const standby = await nodes.start()
        await standby.waiting()
        const loads = Promise.all(workloads.map((workload) => workload.run(client)))
        await letLoadRun(random.between(100, loadMsMax), loads, haveBegun)
        await owner.kill()
        await loads
        owner = standby
      }
      const client = await owner.listening()
      for (const workload of workloads) expect(await lastingFaults(workload, client)).toEqual([])
      expect(await owner.stop()).toBe(0)
      for (const name of await readdir(join(lake, 'blobs'), { recursive: true })) {
        const [, digest] = /^..\/(\w+)\./.exec(name) ?? []
        if (digest !== undefined) expect(digestOf(await Bun.file(join(lake, 'blobs', name)).bytes())).toBe(digest)
      }
    } finally {
      await nodes.killAll()
      await removeFolder(folder)
    }
  },
  rounds * 180_000,
)

/** On a slow machine, a node may doubt for a moment whether it still has the lease. */
async function lastingFaults(workload: ContentWorkload, client: Client): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const faults = await workload.faults(client).catch((error: unknown) => [String(error)])
    if (tries === triesMax || !faults.some((fault) => fault.includes('503'))) return faults
    await Bun.sleep(pauseMs)
  }
}
