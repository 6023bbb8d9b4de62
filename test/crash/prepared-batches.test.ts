import { expect, test } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { crashRounds } from './crash-rounds.ts'
import { ServerChild } from './server-child.ts'

const rounds = crashRounds({ each: 16, min: 2 })
const senders = 3
/** Batches of each sender before the kill: a thread is ready long before the last of them. */
const batchesMin = 30
const roundMsMax = 120_000
const adminKey = 'c'.repeat(40)
/** Large enough that a thread parses, checks and encodes the body. */
const padding = 'x'.repeat(50_000)

/** Sends large batches, each with calls of its own, until the server dies. */
class Sender {
  readonly project: string
  readonly acknowledged = new Set<string>()
  private unanswered: readonly string[] = []
  private batches = 0

  constructor(project: string) {
    this.project = project
  }

  async run(client: Client, random: Random, onBatch: (batches: number) => void): Promise<void> {
    for (let sent = 1; ; sent++) {
      this.batches++
      const ids = Array.from({ length: random.between(1, 40) }, (_, index) => `${this.batches}-${index}`)
      this.unanswered = ids
      const batch = ids.flatMap((id) => itemsOf(this.project, id))
      const answer = await client.post('/call/upsert_batch', { batch, padding }).catch(() => undefined)
      if (answer === undefined) return
      expect(answer.status).toBe(200)
      for (const id of ids) this.acknowledged.add(id)
      this.unanswered = []
      onBatch(sent)
    }
  }

  /** Every acknowledged call exists once; the last batch is stored completely or not at all. */
  async check(client: Client): Promise<void> {
    const [entity, name] = this.project.split('/')
    const ids = await new Project(client, entity!, name!).idsOf({ columns: ['id'] })
    const found = new Set(ids)
    expect(found.size).toBe(ids.length)
    expect([...this.acknowledged].filter((id) => !found.has(id))).toEqual([])
    const stored = this.unanswered.filter((id) => found.has(id))
    expect([0, this.unanswered.length]).toContain(stored.length)
    for (const id of stored) this.acknowledged.add(id)
    expect(found.size).toBe(this.acknowledged.size)
  }
}

function itemsOf(project: string, id: string): unknown[] {
  const time = new Date().toISOString()
  const start = {
    project_id: project,
    id,
    trace_id: id,
    op_name: 'op',
    started_at: time,
    attributes: {},
    inputs: { id },
  }
  const end = { project_id: project, id, ended_at: time, output: id, summary: {} }
  return [{ req: { start } }, { req: { end } }]
}

test(
  'batches that threads prepare survive kill -9 once acknowledged',
  async () => {
    const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    const data = await makeTempFolder()
    const writers = Array.from({ length: senders }, (_, index) => new Sender(`prepared/p${index}`))
    for (let round = 0; round <= rounds; round++) {
      const server = new ServerChild({ kind: round === rounds ? 'plain' : 'flushing', data, adminKey })
      try {
        const client = await server.listening()
        for (const writer of writers) await writer.check(client)
        if (round === rounds) {
          expect(await server.stop()).toBe(0)
          break
        }
        server.beginFlushing()
        await loadAndKill(server, client, writers, random)
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

async function loadAndKill(server: ServerChild, client: Client, writers: readonly Sender[], random: Random) {
  const enough = Promise.withResolvers<void>()
  const loads = writers.map((writer) =>
    writer.run(client, random, (batches) => {
      if (batches === batchesMin) enough.resolve()
    }),
  )
  await Promise.race([enough.promise, Promise.all(loads)])
  await server.kill()
  await Promise.all(loads)
}
