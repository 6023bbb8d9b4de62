import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Client } from '../conformance/support/client.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { findLastingFaults } from '../store/lasting-faults.ts'
import { Random, seedOr } from '../store/random.ts'
import { differences } from './compare.ts'
import { crashRounds } from './crash-rounds.ts'
import { Ledger } from './ledger.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'
import { Workload } from './workload.ts'

const rounds = crashRounds({ each: 1 })
const roundsPerFolder = 8
const writers = 4
const loadMsMax = 700
const roundMsMax = 120_000
const adminKey = 'c'.repeat(40)

/** One data folder through several lives of its server, each ended by `kill -9`. */
class CrashedFolder {
  private readonly data: string
  private readonly random: Random
  private readonly workloads: readonly Workload[]
  /** How long the last start took; kills during a start are spread over this time. */
  private startMs = 500

  constructor(data: string, random: Random) {
    this.data = data
    this.random = random
    this.workloads = Array.from({ length: writers }, (_, index) => {
      const ledger = new Ledger(`crash/writer-${index}`, join(data, `ledger-${index}.jsonl`))
      return new Workload(`w${index}`, ledger, new Random(random.below(2 ** 31)))
    })
  }

  get acknowledged(): number {
    return this.workloads.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
  }

  async round(): Promise<void> {
    if (this.random.chance(0.3)) await this.killDuringStart()
    const server = this.spawn()
    const beganMs = performance.now()
    let log: string
    try {
      const client = await server.listening()
      this.startMs = performance.now() - beganMs
      await this.check(client)
      for (const workload of this.workloads) await workload.repeat(client)
      server.beginFlushing()
      const loads = this.workloads.map((workload) => workload.run(client))
      const refused = Promise.all(loads).then(() => {})
      await letLoadRun(this.random.below(loadMsMax), refused, () => this.acknowledged > 0)
      log = await server.kill()
      await refused
    } catch (cause) {
      await server.kill()
      throw cause
    }
    expect(log.split('\n').filter((line) => /"level":"error"|damaged/.test(line))).toEqual([])
  }

  /** Compares everything with the ledgers again after a last kill. */
  async finalCheck(): Promise<void> {
    const server = new ServerChild({ kind: 'plain', data: this.data, adminKey })
    try {
      await this.check(await server.listening())
      expect(await server.stop()).toBe(0)
      expect(await findFolderFaults(tableFolder(this.data, 'calls'), ['project_id', 'id'])).toEqual([])
    } finally {
      await server.kill()
    }
  }

  private async killDuringStart(): Promise<void> {
    const server = this.spawn()
    await Bun.sleep(this.random.below(this.startMs * 1.1))
    await server.kill()
  }

  private spawn(): ServerChild {
    return new ServerChild({ kind: this.random.chance(0.8) ? 'flushing' : 'plain', data: this.data, adminKey })
  }

  private async check(client: Client): Promise<void> {
    expect(await findLastingFaults(tableFolder(this.data, 'calls'), ['project_id', 'id'])).toEqual([])
    for (const workload of this.workloads) expect(await differences(client, workload)).toEqual([])
  }
}

for (let first = 0; first < rounds; first += roundsPerFolder) {
  const count = Math.min(roundsPerFolder, rounds - first)
  const seed = seedOr(Math.floor(Math.random() * 2 ** 31)) + first
  test(
    `acknowledged writes survive ${count} kills (TRACELAKE_TEST_SEED=${seed - first})`,
    async () => {
      const data = await makeTempFolder()
      const folder = new CrashedFolder(data, new Random(seed))
      try {
        for (let round = 0; round < count; round++) await folder.round()
        await folder.finalCheck()
      } catch (cause) {
        throw new Error(`Seed ${seed - first}; data and ledgers are kept in ${data}`, { cause })
      }
      expect(folder.acknowledged).toBeGreaterThan(0)
      await removeFolder(data)
    },
    count * roundMsMax,
  )
}
