import { expect, test } from 'bun:test'
import { exportOfSession, sessions } from '../conformance/agents/agent-events.ts'
import type { Client } from '../conformance/support/client.ts'
import { logExportOf, logGroupOf, queryLogs, recordOf, sendLogs } from '../conformance/support/otlp-logs.ts'
import { Project } from '../conformance/support/project.ts'
import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { findFolderFaults, tableFolder } from '../store/folder-state.ts'
import { Random, seedOr } from '../store/random.ts'
import { crashRounds } from './crash-rounds.ts'
import { letLoadRun } from './let-load-run.ts'
import { ServerChild } from './server-child.ts'

const rounds = crashRounds({ each: 16, min: 2 })
const senders = 2
const loadMsMax = 700
const roundMsMax = 120_000
const adminKey = 'c'.repeat(40)

type Session = ReturnType<(typeof sessions)['Codex']>

/** Sends records one export at a time and remembers which ones the server has acknowledged. */
class Sender {
  private readonly name: string
  private readonly random: Random
  private readonly acknowledged = new Set<string>()
  /** Sessions of coding agents that were acknowledged as a whole, by their ids. */
  private readonly whole = new Set<string>()
  /** The unacknowledged export, which is sent again. */
  private unanswered: Record<string, unknown> | undefined
  private unansweredIds: readonly string[] = []
  private open: { id: string; session: Session; left: unknown[] } | undefined
  private sent = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.random = random
  }

  get count(): number {
    return this.acknowledged.size
  }

  /**
   * Sends until the server dies.
   * @throws Error if the server rejects an export
   */
  async run(client: Client): Promise<void> {
    for (;;) {
      if (this.unanswered === undefined) {
        if (this.random.below(2) === 0) this.prepareRecords()
        else this.prepareSession()
      }
      const encoding = this.random.pick(['protobuf', 'json'] as const)
      const headers = { project_id: this.projectId }
      const answer = await sendLogs(client, this.unanswered!, encoding, { headers }).catch(() => undefined)
      if (answer === undefined) return
      expect(answer).toMatchObject({ status: 200, rejected: 0 })
      for (const id of this.unansweredIds) this.acknowledged.add(id)
      if (this.open?.left.length === 0) {
        this.whole.add(this.open.id)
        this.open = undefined
      }
      this.unanswered = undefined
      this.unansweredIds = []
    }
  }

  /** Everything acknowledged exists once, and the calls of whole sessions are complete. */
  async check(client: Client): Promise<void> {
    const logs = await queryLogs(client, this.projectId, { fields: ['body'] })
    const texts = logs.flatMap(({ body }) => (typeof body === 'string' && body.startsWith('record ') ? [body] : []))
    const found = new Set(texts)
    expect(found.size).toBe(texts.length)
    expect([...this.acknowledged].filter((id) => !found.has(id))).toEqual([])
    const calls = await new Project(client, 'logs', this.name).query({ columns: ['id', 'thread_id', 'turn_id'] })
    for (const id of this.whole) {
      const ofSession = calls.filter(({ thread_id }) => thread_id === id)
      expect([ofSession.length, ofSession.filter(({ id: call, turn_id }) => call === turn_id).length]).toEqual([7, 2])
    }
  }

  private prepareRecords(): void {
    this.unansweredIds = Array.from({ length: this.random.between(1, 40) }, () => `record ${this.sent++}`)
    const records = this.unansweredIds.map((body) =>
      recordOf({ body, attributes: { text: 'x'.repeat(this.random.below(2000)) } }),
    )
    this.unanswered = logExportOf(logGroupOf(records))
  }

  private prepareSession(): void {
    const id = `session-${this.sent++}`
    this.open ??= { id, session: sessions.Codex(id), left: [...sessions.Codex(id).records] }
    const records = this.open.left.splice(0, this.random.between(1, 6))
    this.unanswered = exportOfSession(this.open.session, records)
  }

  private get projectId(): string {
    return `logs/${this.name}`
  }
}

test(
  `acknowledged log records, and the calls made of them, survive ${rounds} kills`,
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
        await letLoadRun(300 + random.below(loadMsMax), loads, () => all.some(({ count }) => count > 0))
        await server.kill()
        await loads
      } catch (cause) {
        throw new Error(`Seed ${seed}; data is kept in ${data}`, { cause })
      } finally {
        await server.kill()
      }
    }
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0)
    expect(await findFolderFaults(tableFolder(data, 'logs'), ['project_id', 'id'])).toEqual([])
    await removeFolder(data)
  },
  (rounds + 1) * roundMsMax,
)
