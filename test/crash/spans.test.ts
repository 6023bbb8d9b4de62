import { expect, test } from 'bun:test'
import process from 'node:process'
import type { Client } from '../conformance/support/client.ts'
import { exportOf, groupOf, send, spanOf } from '../conformance/support/otlp.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { ServerChild } from './server-child.ts'

const rounds = Math.max(1, Math.ceil(Number(process.env['TRACELAKE_CRASH_ROUNDS'] ?? 32) / 16))
const senders = 3
const loadMsMax = 700
const roundMsMax = 60_000
const adminKey = 'c'.repeat(40)

/** Sends exports of spans one by one and records which ones the server acknowledged. */
class Sender {
  readonly name: string
  readonly acknowledged = new Set<string>()
  /** Span ids of the unacknowledged export. */
  unanswered: readonly string[] = []
  private readonly random: Random

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  /**
   * Sends until the server dies.
   * @throws Error if the server rejects an export
   */
  async run(client: Client): Promise<void> {
    for (;;) {
      const spans = Array.from({ length: this.random.between(1, 40) }, () =>
        spanOf({
          name: this.random.pick(['chat', 'tool']),
          attributes: { input: 'x'.repeat(this.random.below(2000)) },
        }),
      )
      this.unanswered = spans.map(({ spanId }) => spanId as string)
      const headers = { project_id: this.projectId }
      const encoding = this.random.pick(['protobuf', 'json'] as const)
      const answer = await send(client, exportOf(groupOf(spans)), encoding, { headers }).catch(() => undefined)
      if (answer === undefined) return
      expect(answer).toMatchObject({ status: 200, rejected: 0 })
      for (const id of this.unanswered) this.acknowledged.add(id)
      this.unanswered = []
    }
  }

  /**
   * Everything acknowledged exists once; the unacknowledged export exists completely or not at all.
   */
  async check(client: Client): Promise<void> {
    const ids = await new Project(client, 'spans', this.name).idsOf({ columns: ['id'] })
    const found = new Set(ids)
    expect(found.size).toBe(ids.length)
    expect([...this.acknowledged].filter((id) => !found.has(id))).toEqual([])
    const unknown = ids.filter((id) => !this.acknowledged.has(id))
    expect(unknown.length === 0 || unknown.length === this.unanswered.length).toBe(true)
    for (const id of unknown) this.acknowledged.add(id)
  }

  private get projectId(): string {
    return `spans/${this.name}`
  }
}

test(
  `acknowledged spans survive ${rounds} kills`,
  async () => {
    const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    const data = await makeTempFolder()
    const all = Array.from({ length: senders }, (_, i) => new Sender(`sender-${i}`, new Random(random.below(2 ** 31))))
    for (let round = 0; round <= rounds; round++) {
      const server = new ServerChild({ kind: round === rounds ? 'plain' : 'flushing', data, adminKey })
      try {
        const client = await server.listening()
        for (const sender of all) await sender.check(client)
        if (round === rounds) {
          expect(await server.stop()).toBe(0)
          break
        }
        server.beginFlushing()
        const loads = Promise.all(all.map((sender) => sender.run(client)))
        await Promise.race([Bun.sleep(300 + random.below(loadMsMax)), loads])
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
