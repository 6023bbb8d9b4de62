import { expect, test } from 'bun:test'
import type { Client } from '../conformance/support/client.ts'
import { GrpcClient, metricsPath } from '../conformance/support/grpc.ts'
import { codecs, exportOf, groupOf, spanOf, toProtobuf } from '../conformance/support/otlp.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { crashRounds } from './crash-rounds.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const rounds = crashRounds({ each: 16, min: 2 })
const loadMsMax = 700
const roundMsMax = 120_000
const adminKey = 'g'.repeat(40)

/** Sends one kind of telemetry over gRPC and records what the server acknowledged. */
class Sender {
  readonly acknowledged = new Set<string>()
  readonly name: 'spans' | 'points'
  private unanswered: readonly string[] = []
  private readonly random: Random
  private points = 0

  constructor(name: 'spans' | 'points', random: Random) {
    this.name = name
    this.random = random
  }

  /** Sends until the server dies. @throws Error if the server rejects an export */
  async run(grpc: GrpcClient): Promise<void> {
    const metadata = { authorization: `Bearer ${adminKey}`, project_id: `grpc/${this.name}` }
    for (;;) {
      const { ids, message, path } = this.name === 'spans' ? this.someSpans() : this.somePoints()
      this.unanswered = ids
      const { code, bytes } = await grpc.call(message, { metadata, ...(path && { path }), deadlineMs: 100_000 })
      if (code === 14) return
      expect({ code, bytes: [...bytes] }).toEqual({ code: 0, bytes: [] })
      for (const id of ids) this.acknowledged.add(id)
      this.unanswered = []
    }
  }

  /** Everything acknowledged exists once; the unacknowledged export completely or not at all. */
  async check(client: Client): Promise<void> {
    const ids = await this.stored(client)
    const found = new Set(ids)
    expect(found.size).toBe(ids.length)
    expect([...this.acknowledged].filter((id) => !found.has(id))).toEqual([])
    const unknown = ids.filter((id) => !this.acknowledged.has(id))
    expect(unknown.length === 0 || unknown.length === this.unanswered.length).toBe(true)
    for (const id of unknown) this.acknowledged.add(id)
  }

  private async stored(client: Client): Promise<string[]> {
    if (this.name === 'spans') return await new Project(client, 'grpc', 'spans').idsOf({ columns: ['id'] })
    const { text } = await client.post('/metrics/query', { project_id: 'grpc/points', fields: ['value'] })
    const lines = text.split('\n').filter((line) => line !== '')
    return lines.map((line) => String((JSON.parse(line) as { value: number }).value))
  }

  private someSpans() {
    const spans = Array.from({ length: this.random.between(1, 40) }, () => spanOf())
    return {
      ids: spans.map(({ spanId }) => spanId as string),
      message: toProtobuf(exportOf(groupOf(spans))),
      path: undefined,
    }
  }

  private somePoints() {
    const values = Array.from({ length: this.random.between(1, 40) }, () => ++this.points)
    const dataPoints = values.map((asDouble) => ({ timeUnixNano: '1767225600000000000', asDouble }))
    const metric = codecs['Metric']!.encode({ name: 'count', gauge: { dataPoints } }).finish()
    const message = codecs['MetricsRequest']!.encode({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }],
    }).finish()
    return { ids: values.map(String), message, path: metricsPath }
  }
}

test(
  `spans and metrics acknowledged over gRPC survive ${rounds} kills`,
  async () => {
    const seed = seedOr(Math.floor(Math.random() * 2 ** 31))
    const random = new Random(seed)
    const data = await makeTempFolder()
    const all = (['spans', 'points'] as const).map((name) => new Sender(name, new Random(random.below(2 ** 31))))
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
        const grpc = new GrpcClient(server.grpcAddress)
        const loads = Promise.all(all.map((sender) => sender.run(grpc)))
        const haveBegun = () => all.every(({ acknowledged }) => acknowledged.size > 0)
        await letLoadRun(500 + random.below(loadMsMax), loads, haveBegun)
        await server.kill()
        await loads
        grpc.close()
      } catch (cause) {
        throw new Error(`Seed ${seed}; data is kept in ${data}`, { cause })
      } finally {
        await server.kill()
      }
    }
    for (const { acknowledged } of all) expect(acknowledged.size).toBeGreaterThan(0)
    for (const table of ['calls', 'metrics']) {
      expect(await findFolderFaults(tableFolder(data, table), ['project_id', 'id'])).toEqual([])
    }
    await removeFolder(data)
  },
  (rounds + 1) * roundMsMax,
)
